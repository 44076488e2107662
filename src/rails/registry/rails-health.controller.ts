import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../platform/http/edge/access.js';
import { worstOf, type RailState } from './rail-health.js';
import { RailStates } from './rail-view.js';

/** The state of the rails, for monitoring: names, states and codes; no addresses, and no texts of a provider. */
@ApiExcludeController()
@Public({ unlimited: true })
@Controller('health/rails')
export class RailsHealthController {
  constructor(private readonly states: RailStates) {}

  /** Always 200: a rail that does not work takes no process out of service. */
  @Get()
  async read(): Promise<{ readonly status: RailState['state']; readonly rails: readonly RailState[] }> {
    const rails = await this.states.read();
    return { status: worstOf(rails), rails };
  }
}
