import { QueryInt } from './fields.js';

/** The page of a list; extended by the filters of each list. */
export class PageQuery {
  @QueryInt({ min: 1, max: 2_147_483_647, default: 1, description: 'Page, from 1. A page past the end is empty.' })
  PageNumber: number;

  @QueryInt({ min: 1, max: 100, default: 10, description: 'Records per page.' })
  PageSize: number;
}
