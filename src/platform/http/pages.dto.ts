import { IsQueryInteger } from './validation/number-validators.js';

/** The page of a list; the filters of each list extend it. */
export class PageQuery {
  @IsQueryInteger({ min: 1, max: 2_147_483_647, description: 'Page number, from 1. A page past the end is empty.' }) readonly PageNumber: number = 1;
  @IsQueryInteger({ min: 1, max: 100, description: 'Number of records per page.' }) readonly PageSize: number = 10;
}
