import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { throwError, timeout, type Observable } from 'rxjs';
import { StoreUnavailable } from '../../platform/event-store/event-store.js';

/** In ms; before the deadline of all handlers, which sends a response for programs. */
const ANSWERED_WITHIN_MS = 4_500;

/** Ends a page that takes too long, so that PageFilter sends a page. */
@Injectable()
export class PageDeadline implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const late = (): Observable<never> => throwError(() => new StoreUnavailable(`no page within ${ANSWERED_WITHIN_MS} ms`));
    return next.handle().pipe(timeout({ first: ANSWERED_WITHIN_MS, with: late }));
  }
}
