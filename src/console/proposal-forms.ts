import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MakeProposal } from '../desk/act-on-proposal.js';
import type { ProposalContent, ProposalKindName } from '../desk/proposal-kind.js';
import { digestOf } from '../ledger/canonical-json.js';
import type { CorrelationIds } from '../platform/http/access.js';
import { ReadYourWrites } from '../platform/projector/read-your-writes.js';
import type { ActBody } from './forms.dto.js';
import { ConsolePages } from './console-pages.js';
import { proposalPage } from './links.js';
import { PersonActs, type ActSubject } from './person-acts.js';

export interface SentProposal {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly ids: CorrelationIds;
  /** What the form was shown for, as it stands now. */
  readonly subject: ActSubject;
  readonly form: ActBody;
  readonly kind: ProposalKindName;
  readonly content: ProposalContent;
}

/** Proposals that persons make on the page of what they are about. Evidence is named on the command line or over REST. */
@Injectable()
export class ProposalForms {
  constructor(
    private readonly commands: CommandBus,
    private readonly consistency: ReadYourWrites,
    private readonly acts: PersonActs,
    private readonly pages: ConsolePages,
  ) {}

  /**
   * Leads to the proposal. A form that is sent twice makes one: its token and what is said in it are the key.
   * @throws as PersonActs.requireShown; Problem, where it would be refused now
   */
  async propose({ request, reply, ids, subject, form, kind, content }: SentProposal): Promise<string> {
    this.acts.requireShown(request, subject, form);
    const { reason, form_token } = form;
    const key = digestOf({ form_token, kind, content, reason });
    const { correlation_id, request_id: causation_id } = ids;
    const order = { kind, content, reason, evidence: [] };
    const { proposal_id, position } = await this.commands.execute(new MakeProposal(order, key, request.keyId!, { correlation_id, causation_id }));
    await this.consistency.shown(reply, position);
    void reply.header('location', this.pages.links.to(proposalPage(proposal_id), { Done: subject.path }));
    return '';
  }
}
