import type { ClientBase } from 'pg';
import { MANY_BREAKS } from '../reconciliation/as-of.js';
import { DIFFERING_OPENINGS } from '../reconciliation/items/house-items.js';
import { isAccepted } from '../reconciliation/matches/break-acts.js';

type Db = Pick<ClientBase, 'query'>;

export const ALARM_KINDS = ['PROJECTION_STOPPED', 'PROPOSAL_STUCK', 'MANY_BREAKS', 'FILE_UNFINISHED', 'OPENING_DIFFERS'] as const;

/** A condition that an operator has to look at. It ends by itself when its cause is gone. */
export interface Alarm {
  readonly kind: (typeof ALARM_KINDS)[number];
  /** Name or id of the projection, proposal, source or file. */
  readonly subject: string;
  readonly since: string;
  /** One plain sentence with a few figures. */
  readonly detail: string;
}

const STUCK_AFTER = '10 minutes';
const UNFINISHED_AFTER = '1 hour';
const ALARMS_MAX = 200;

/** Returns the oldest first. @param now RFC 3339 */
export async function findAlarms(db: Db, now: string): Promise<Alarm[]> {
  const { rows } = await db.query<Alarm>(
    `select * from (
       select 'PROJECTION_STOPPED' as kind, projection as subject, since, 'It has stopped after ' || attempts || ' attempts: projections status shows the cause.' as detail
         from projector.stops
       union all
       select 'PROPOSAL_STUCK', id::text, updated_on, 'A proposal of kind ' || kind || ' is approved and has not taken effect.'
         from ledger.proposals where proposal_status = 'APPROVED' and updated_on < $1::timestamptz - interval '${STUCK_AFTER}'
       union all
       select 'MANY_BREAKS', t.source, t.at, t.new_breaks || ' breaks were opened on ' || t.day || ' at once: check the file and the format of its source.'
         from recon.ticks t
        where t.new_breaks > ${MANY_BREAKS} and exists (select from recon.breaks b where b.opened_from = t.ordinal and b.resolved_from is null and not ${isAccepted('$1')})
       union all
       select 'FILE_UNFINISHED', id::text, received_on, 'The import of a file of ' || source || ' was cut short at line ' || lines_read || ' of ' || lines || ': import it again.'
         from recon.statements where status in ('RECEIVED', 'READ') and received_on < $1::timestamptz - interval '${UNFINISHED_AFTER}'
       union all ${DIFFERING_OPENINGS}
     ) alarm order by since, kind, subject limit ${ALARMS_MAX}`,
    [now],
  );
  return rows;
}
