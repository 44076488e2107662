import { ApiExtension } from '@nestjs/swagger';
import { PROBLEM_CODES } from '../../platform/http/openapi/openapi-components.js';
import type { ProblemCode } from '../problems.js';

/** Documents the problems of an operation other than those implied by its body, its key and its parameters, and faults of ours. */
export const Problems = (...codes: readonly ProblemCode[]) => ApiExtension(PROBLEM_CODES, codes);
