// Made by "npm run generate" from /openapi.json.
export interface paths {
    "/v1/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List charges
         * @description Filtered, ordered, paged; the total is exact.
         */
        get: operations["listCharges"];
        put?: never;
        /**
         * Create a charge
         * @description A payment attempt on a channel. Repeat it with the same Idempotency-Key as often as you like.
         */
        post: operations["createCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a charge */
        get: operations["getCharge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending charge
         * @description Cancelling it again answers the same.
         */
        post: operations["cancelCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A charge's event history
         * @description The facts, oldest first.
         */
        get: operations["listChargeEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a charge's refunds
         * @description A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listChargeRefunds"];
        put?: never;
        /**
         * Refund a charge
         * @description The whole charge, what is left of it, or a part; the fee goes back in proportion. What you give is taken from pending, or from available once a settlement has taken the charge up, before the answer. Repeat it with the same Idempotency-Key as often as you like.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds
         * @description A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a refund */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending refund
         * @description Until it is handed to the processor. Cancelling it again answers the same.
         */
        post: operations["cancelRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers
         * @description A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listCustomers"];
        /**
         * Update a customer
         * @description An absent field keeps its value, null clears it, a nested object is replaced whole.
         */
        put: operations["updateCustomer"];
        /**
         * Create a customer
         * @description Repeat it with the same Idempotency-Key as often as you like; once the customer is deleted, the repeat answers 404.
         */
        post: operations["createCustomer"];
        /**
         * Delete a customer
         * @description Erases the person for good. Afterwards the customer answers 404 everywhere.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a customer */
        get: operations["getCustomer"];
        put?: never;
        post?: never;
        /**
         * Delete a customer by its path
         * @description The same as DELETE /v1/customers?Id=….
         */
        delete: operations["deleteCustomerById"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customers/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A customer's event history
         * @description The facts, oldest first. They stay when the customer is deleted; what was personal in them is null from then on.
         */
        get: operations["listCustomerEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the calling merchant */
        get: operations["getMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/me/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment channels
         * @description Those that the calling merchant has, with its own bounds.
         */
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List balances
         * @description One record for every currency of the merchant's channels, zeros included.
         */
        get: operations["listBalances"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances/{currency}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a balance */
        get: operations["getBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/balances/{currency}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain a balance
         * @description What pending, available, reserved and fees consist of, to the minor unit and of one moment; and which settlements the money of each payout came from, first in, first out.
         */
        get: operations["explainBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/adjustments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List adjustments
         * @description What changed your available balance beside charges, refunds, disputes and payouts; oldest first. A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listAdjustments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payouts
         * @description A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listPayouts"];
        put?: never;
        /**
         * Request a payout
         * @description The amount is moved from available to reserved before the answer. Repeat it with the same Idempotency-Key as often as you like.
         */
        post: operations["createPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a payout */
        get: operations["getPayout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a pending payout
         * @description Until it is handed to the bank. Cancelling it again answers the same.
         */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes
         * @description A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a dispute */
        get: operations["getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{id}/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Challenge a dispute
         * @description With the evidence that was added, until due_by. No body. From then on the processor decides. Challenging it again answers the same.
         */
        post: operations["challengeDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept a dispute
         * @description It is lost: the customer keeps what is held. No body. Accepting it again answers the same.
         */
        post: operations["acceptDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{id}/evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a file as evidence
         * @description The body is the file itself: PDF, PNG, JPEG or text in UTF-8, 5 MiB at most, within 15 seconds. A dispute takes 10 files with 20 MiB together, while you may answer it. The same bytes again answer the first file, with 200. Files and their names are encrypted, and can be erased.
         */
        post: operations["addDisputeEvidence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{id}/evidence/{evidence_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a file
         * @description As an attachment, byte for byte as it was sent.
         */
        get: operations["getDisputeEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settlements
         * @description Oldest first, empty ones too. A bare array; X-Total-Count and Link lead through its pages.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a settlement
         * @description With its lines, whose amounts add up to its total.
         */
        get: operations["getSettlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/simulate/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Play an outcome of a test charge
         * @description At the `simulation_url` of a charge; its unguessable path is the credential. Succeeding an expired, cancelled or failed charge plays money that arrives late. `settle` settles the charge now, whatever its due date. `refund-succeed`, `refund-fail` and `refund-bounce` end a refund of the charge; `dispute-open`, `dispute-reopen`, `dispute-win` and `dispute-lose` play a dispute.
         */
        post: operations["simulateCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/me/web-hook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the web-hook
         * @description Never the key.
         */
        get: operations["getWebhook"];
        put?: never;
        /**
         * Set the web-hook
         * @description Events from now on are posted to it; earlier ones are at GET /v1/events. Setting it again enables one that was disabled.
         */
        post: operations["setWebhook"];
        /**
         * Delete the web-hook
         * @description What was not delivered is cancelled.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/me/web-hook/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Newest first, with each attempt; kept for 30 days after their end.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/me/web-hook/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description At once, with the same webhook-id and sequence; the schedule of retries begins anew.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/me/web-hook/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test
         * @description Of type `test`, without a sequence, tried once. Its outcome is among the deliveries.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description What the web-hook is told, in sequence, from any age: catch up from here.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/statements/{currency}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a statement of account
         * @description Opening balance, every movement with what it belongs to and the balance after it, closing balance; by the time of booking. JSON by pages, on each of which the balances are those of the whole statement; CSV and a printable page (`Accept: text/html`; in Indonesian, Malay or English by `Accept-Language`) as one.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/remittance-advice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a payout was made of
         * @description The settlements that its money came from, first in, first out in the order in which payouts succeeded, each with all of its lines. From its success on, and never changing. JSON is signed; CSV and a printable page (`Accept: text/html`) hold the same.
         */
        get: operations["getRemittanceAdvice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "charge.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.created
         * @description A charge was created.
         */
        post: operations["onChargeCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "charge.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.succeeded
         * @description A charge was paid; late payments of an expired or cancelled charge, too.
         */
        post: operations["onChargeSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "charge.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.failed
         * @description The payment failed.
         */
        post: operations["onChargeFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "charge.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.expired
         * @description Nobody paid in time. Money that arrives later still makes it succeed.
         */
        post: operations["onChargeExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "charge.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.cancelled
         * @description You cancelled the charge.
         */
        post: operations["onChargeCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "charge.settled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.settled
         * @description The money of a charge is available.
         */
        post: operations["onChargeSettled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "charge.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * charge.reversed
         * @description The payment was taken back, and its net amount with it.
         */
        post: operations["onChargeReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.created
         * @description A payout was requested; its amount is reserved.
         */
        post: operations["onPayoutCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.processing
         * @description The bank has the payout.
         */
        post: operations["onPayoutProcessing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.succeeded
         * @description The bank has paid it out.
         */
        post: operations["onPayoutSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.failed
         * @description The bank refused it; the amount is available again.
         */
        post: operations["onPayoutFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.cancelled
         * @description You cancelled the payout, or it was not approved; the amount is available again.
         */
        post: operations["onPayoutCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payout.reversed
         * @description The bank account returned the money; net amount and fee are available again.
         */
        post: operations["onPayoutReversed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.created
         * @description A customer was created.
         */
        post: operations["onCustomerCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.updated
         * @description A customer was changed.
         */
        post: operations["onCustomerUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "customer.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * customer.deleted
         * @description A customer was deleted; `data` is `{id, deleted: true}`, also in earlier events that are sent late.
         */
        post: operations["onCustomerDeleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "balance.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * balance.updated
         * @description A balance has changed; follows the event that moved it.
         */
        post: operations["onBalanceUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.created
         * @description A refund was asked for; what you give for it is held.
         */
        post: operations["onRefundCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.processing
         * @description The processor has the refund.
         */
        post: operations["onRefundProcessing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.succeeded
         * @description The customer has the money.
         */
        post: operations["onRefundSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.failed
         * @description The processor refused it, or sent it back after it had succeeded; what you gave is yours again.
         */
        post: operations["onRefundFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.cancelled
         * @description The refund was cancelled; what you gave is yours again.
         */
        post: operations["onRefundCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispute.opened
         * @description A customer disputes a payment. Past an inquiry the money is held, as balance.updated says; answer until due_by.
         */
        post: operations["onDisputeOpened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispute.reopened
         * @description A dispute that you had won has come back at a later stage, and the money is held again.
         */
        post: operations["onDisputeReopened"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.due_soon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispute.due_soon
         * @description A dispute waits for your answer, and due_by is near.
         */
        post: operations["onDisputeDueSoon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.under_review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispute.under_review
         * @description You have challenged the dispute.
         */
        post: operations["onDisputeUnderReview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.won": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispute.won
         * @description The dispute is yours, and so is the money again.
         */
        post: operations["onDisputeWon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "dispute.lost": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * dispute.lost
         * @description The money is the customer’s: you accepted, did not answer in time, or the processor decided.
         */
        post: operations["onDisputeLost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    test: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * test
         * @description You asked for a test.
         */
        post: operations["onTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CreateChargeBody: {
            /**
             * Format: int64
             * @description Minor units, within the bounds of the channel.
             * @example 10000
             */
            amount: number;
            /**
             * @description The currency of the channel.
             * @example IDR
             */
            currency: string;
            /**
             * @description Payment channel, in any case.
             * @example QR_QRIS
             * @enum {string}
             */
            channel_code: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
            /**
             * @description QR channels take payload and embedded, all others redirection and embedded.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Your order or invoice number. May repeat; it is searched with SearchText.
             * @example order-1001
             */
            reference_id: string;
            /**
             * @description What the payment is for.
             * @example Two coffees
             */
            description?: string | null;
            /**
             * @description Your own pairs of strings; answered as meta_data.
             * @example {
             *       "table": "7"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description Where the hosted payment page leads the customer when the payment has ended, exactly as it is sent here: an https address, or an app link whose scheme is a domain name in reverse, without credentials. It says nothing of the result: ask for the charge, or wait for the webhook.
             * @example https://shop.example.com/orders/1001
             */
            return_url?: string | null;
        };
        ChargeActionDto: {
            /**
             * @description What kind it is.
             * @example PRESENT_TO_CUSTOMER
             * @enum {string}
             */
            type: "PRESENT_TO_CUSTOMER" | "REDIRECT_CUSTOMER";
            /**
             * Format: uri
             * @description The hosted payment page.
             * @example https://pay.example.com/pay/AZjA3npe
             */
            embedded_url: string;
            /**
             * Format: uri
             * @description Where a test payment is played; null for live merchants.
             * @example null
             */
            simulation_url: string | null;
            /**
             * @description QRIS or PayNow payload; QR channels only.
             * @example 00020101021226…6304A13A
             */
            qr_string?: string;
            /**
             * Format: uri
             * @description The payment provider's own page or app; of live channels that have one.
             * @example https://checkout.example.com/dana/8f3k
             */
            redirect_url?: string;
        };
        CreatedChargeDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Short name of the charge, for people; unique.
             * @example CHG_0K3M9ZQ4T7X1B8WA
             */
            code: string;
            /**
             * @description Your own number.
             * @example order-1001
             */
            reference_id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * Format: int64
             * @description Minor units.
             * @example 10000
             */
            amount: number;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description Payment channel.
             * @example QR_QRIS
             * @enum {string}
             */
            channel_code: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
            /**
             * @description How the customer is led to pay.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Where it stands.
             * @example PENDING
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
            /**
             * @description For people; null when there is none.
             * @example Two coffees
             */
            description: string | null;
            /**
             * @description Your own pairs of strings.
             * @example {
             *       "table": "7"
             *     }
             */
            meta_data: {
                [key: string]: string;
            };
            /**
             * @description Id of the key that acted, or System.
             * @example key_5f3b8c1d
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
            /**
             * Format: uri
             * @description As it was sent; only then.
             * @example https://shop.example.com/orders/1001
             */
            return_url?: string;
            /** @description What the customer is to be shown, or sent to. */
            action: components["schemas"]["ChargeActionDto"];
            /**
             * @description The payment provider's number of it; null until the customer can pay. Only of charges that a payment provider takes.
             * @example pr-8877c08a-740d-4153-9816-3d744ed197a5
             */
            processor_reference?: string | null;
            /**
             * @description The payment provider's code; only when it has refused the payment.
             * @example CHANNEL_UNAVAILABLE
             */
            failure_code?: string;
        };
        ChargeListItemDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Short name of the charge, for people; unique.
             * @example CHG_0K3M9ZQ4T7X1B8WA
             */
            code: string;
            /**
             * @description Your own number.
             * @example order-1001
             */
            reference_id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * Format: int64
             * @description Minor units.
             * @example 10000
             */
            amount: number;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description Payment channel.
             * @example QR_QRIS
             * @enum {string}
             */
            channel_code: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
            /**
             * @description How the customer is led to pay.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Where it stands.
             * @example PENDING
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
            /**
             * @description For people; null when there is none.
             * @example Two coffees
             */
            description: string | null;
            /**
             * @description Your own pairs of strings.
             * @example {
             *       "table": "7"
             *     }
             */
            meta_data: {
                [key: string]: string;
            };
            /**
             * @description Id of the key that acted, or System.
             * @example key_5f3b8c1d
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
            /**
             * Format: uri
             * @description As it was sent; only then.
             * @example https://shop.example.com/orders/1001
             */
            return_url?: string;
            /**
             * Format: int64
             * @description Minor units.
             * @example 70
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Minor units.
             * @example 9930
             */
            net_amount: number;
            /**
             * @description Where the money of the charge is.
             * @example UNKNOWN
             * @enum {string}
             */
            settlement_status: "UNKNOWN" | "PENDING" | "PROCESSING" | "SETTLED" | "REVERSED";
            /**
             * Format: date-time
             * @description When it was settled; null until then.
             * @example null
             */
            settlement_on: string | null;
            /**
             * Format: int64
             * @description Minor units: refunds that have succeeded.
             * @example 0
             */
            refunded_amount: number;
            /**
             * Format: int64
             * @description Minor units: held or lost in disputes.
             * @example 0
             */
            disputed_amount: number;
            /**
             * Format: date-time
             * @description When the money is due; only when succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            settlement_date?: string;
            /**
             * Format: date-time
             * @description Only when succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            paid_on?: string;
            /**
             * Format: date-time
             * @description Only when failed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            failed_on?: string;
        };
        ChargePageDto: {
            /**
             * @description The page, from 1.
             * @example 1
             */
            page_number: number;
            /**
             * @description Records per page.
             * @example 10
             */
            page_size: number;
            /**
             * @description 0 when nothing matches.
             * @example 1
             */
            page_count: number;
            /**
             * @description Exact.
             * @example 1
             */
            total_item_count: number;
            /** @description What is on this page. */
            items: components["schemas"]["ChargeListItemDto"][];
        };
        FeeDto: {
            /**
             * @description What kind it is.
             * @example PERCENTAGE
             * @enum {string}
             */
            type: "PERCENTAGE" | "FIXED";
            /**
             * @description A percentage (0.7 means 0.7 %) or minor units.
             * @example 0.7
             */
            value: number;
        };
        ChargeDetailDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Short name of the charge, for people; unique.
             * @example CHG_0K3M9ZQ4T7X1B8WA
             */
            code: string;
            /**
             * @description Your own number.
             * @example order-1001
             */
            reference_id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * Format: int64
             * @description Minor units.
             * @example 10000
             */
            amount: number;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description Payment channel.
             * @example QR_QRIS
             * @enum {string}
             */
            channel_code: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
            /**
             * @description How the customer is led to pay.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Where it stands.
             * @example PENDING
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
            /**
             * @description For people; null when there is none.
             * @example Two coffees
             */
            description: string | null;
            /**
             * @description Your own pairs of strings.
             * @example {
             *       "table": "7"
             *     }
             */
            meta_data: {
                [key: string]: string;
            };
            /**
             * @description Id of the key that acted, or System.
             * @example key_5f3b8c1d
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
            /**
             * Format: uri
             * @description As it was sent; only then.
             * @example https://shop.example.com/orders/1001
             */
            return_url?: string;
            /**
             * Format: int64
             * @description Minor units.
             * @example 70
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Minor units.
             * @example 9930
             */
            net_amount: number;
            /**
             * @description Where the money of the charge is.
             * @example UNKNOWN
             * @enum {string}
             */
            settlement_status: "UNKNOWN" | "PENDING" | "PROCESSING" | "SETTLED" | "REVERSED";
            /**
             * Format: date-time
             * @description When it was settled; null until then.
             * @example null
             */
            settlement_on: string | null;
            /**
             * Format: int64
             * @description Minor units: refunds that have succeeded.
             * @example 0
             */
            refunded_amount: number;
            /**
             * Format: int64
             * @description Minor units: held or lost in disputes.
             * @example 0
             */
            disputed_amount: number;
            /**
             * Format: date-time
             * @description When the money is due; only when succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            settlement_date?: string;
            /**
             * Format: date-time
             * @description Only when succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            paid_on?: string;
            /**
             * Format: date-time
             * @description Only when failed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            failed_on?: string;
            /**
             * Format: int64
             * @description Minor units: what is left to be refunded, less what refunds that are pending or under way take; 0 unless succeeded.
             * @example 10000
             */
            refundable_amount: number;
            /** @description What the merchant pays for it, fixed at its creation. */
            fee: components["schemas"]["FeeDto"];
            /**
             * Format: uuid
             * @description Of the charge on statements; fixed at creation.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_statement_id: string;
            /**
             * @description Who takes the payment.
             * @example SIMULATOR
             */
            processor: string;
            /** @description How the customer pays; null until the payment provider has said so. Only of charges that a payment provider takes. */
            action?: components["schemas"]["ChargeActionDto"] | null;
            /**
             * @description The payment provider's number of it; null until the customer can pay. Only of charges that a payment provider takes.
             * @example pr-8877c08a-740d-4153-9816-3d744ed197a5
             */
            processor_reference?: string | null;
            /**
             * @description The payment provider's code; only when it has refused the payment.
             * @example CHANNEL_UNAVAILABLE
             */
            failure_code?: string;
            /**
             * @description Banking days from payment until the money is available.
             * @example T+2
             */
            settlement_cycle: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            owned_by: string;
            /**
             * @description The same as updated_by.
             * @example System
             */
            last_modified_by: string;
            /**
             * Format: date-time
             * @description The same as updated_on.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            last_modified_on: string;
        };
        ChargeEventDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description What kind it is.
             * @example ChargePaid
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            occurred_on: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            actor: string;
            /**
             * @description The same for everything that one request brought about.
             * @example 4bf92f3577b34da6a3ce929d0e0e4736
             */
            correlation_id: string;
            /**
             * @description Id of the event or the request that caused this.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            causation_id: string;
            /**
             * @description The fact as it was recorded.
             * @example {
             *       "charge_id": "0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d",
             *       "currency": "IDR",
             *       "amount": 10000
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        RequestRefundBody: {
            /**
             * Format: int64
             * @description Minor units. Absent: all that is left of the charge.
             * @example 4000
             */
            amount?: number | null;
            /**
             * @description Why, in any case.
             * @example REQUESTED_BY_CUSTOMER
             * @enum {string|null}
             */
            reason?: "REQUESTED_BY_CUSTOMER" | "DUPLICATE" | "FRAUDULENT" | "CANCELLATION" | "OTHER" | null;
            /**
             * @description Your own number.
             * @example return-1001
             */
            reference_id?: string | null;
            /**
             * @description For people; null when there is none.
             * @example One coffee was cold
             */
            description?: string | null;
            /**
             * @description Your own pairs of strings; answered as meta_data. `simulate` of a test refund: `fail`, `bounce` or `stick`.
             * @example {
             *       "desk": "3"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        RefundDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description The charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * Format: int64
             * @description Minor units: what the customer gets.
             * @example 4000
             */
            amount: number;
            /**
             * Format: int64
             * @description Minor units: the part of the fee that you get back.
             * @example 28
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Minor units: what you give, amount − fee_amount.
             * @example 3972
             */
            net_amount: number;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description Which money is given: AVAILABLE once a settlement has taken the charge up.
             * @example PENDING
             * @enum {string}
             */
            source: "PENDING" | "AVAILABLE";
            /**
             * @description Where the refund stands.
             * @example PENDING
             * @enum {string}
             */
            refund_status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
            /**
             * @description Why it failed (REJECTED by the processor, BOUNCED after it had succeeded) or was cancelled.
             * @example null
             * @enum {string|null}
             */
            status_reason: "REJECTED" | "BOUNCED" | "REQUESTED" | "CHARGE_DISPUTED" | null;
            /**
             * @description In the words of the processor.
             * @example null
             */
            processor_reason: string | null;
            /**
             * @description Why, for people.
             * @example REQUESTED_BY_CUSTOMER
             * @enum {string|null}
             */
            reason: "REQUESTED_BY_CUSTOMER" | "DUPLICATE" | "FRAUDULENT" | "CANCELLATION" | "OTHER" | null;
            /**
             * @description Your own number.
             * @example return-1001
             */
            reference_id: string | null;
            /**
             * @description For people; null when there is none.
             * @example One coffee was cold
             */
            description: string | null;
            /**
             * @description Your own pairs of strings.
             * @example {
             *       "desk": "3"
             *     }
             */
            meta_data: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was handed to the processor.
             * @example null
             */
            submitted_on: string | null;
            /**
             * Format: date-time
             * @description When it succeeded; null until then.
             * @example null
             */
            succeeded_on: string | null;
            /**
             * Format: date-time
             * @description When it failed; null unless it did.
             * @example null
             */
            failed_on: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled; null unless it was.
             * @example null
             */
            cancelled_on: string | null;
            /**
             * @description Id of the key that acted, or System.
             * @example key_5f3b8c1d
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
        };
        AddressBody: {
            /**
             * @description Street and number.
             * @example Jalan Melati 5
             */
            line1?: string | null;
            /**
             * @description Building, floor.
             * @example Lantai 2
             */
            line2?: string | null;
            /**
             * @description City.
             * @example Bandung
             */
            city?: string | null;
            /**
             * @description State or province.
             * @example Jawa Barat
             */
            state?: string | null;
            /**
             * @description Postal code.
             * @example 40115
             */
            postal_code?: string | null;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example ID
             */
            country?: string | null;
        };
        ShippingBody: {
            /**
             * @description Telephone number.
             * @example +62 812 3456 7890
             */
            phone?: string | null;
            /**
             * @description Who receives the goods.
             * @example Sari Dewi
             */
            receiver_name?: string | null;
            /** @description Postal address; null when there is none. */
            address?: components["schemas"]["AddressBody"] | null;
        };
        TaxBody: {
            /**
             * @description Kind of the tax number.
             * @example NPWP
             */
            id_type?: string | null;
            /**
             * @description Tax number.
             * @example 09.254.294.3-407.000
             */
            id_value?: string | null;
        };
        CreateCustomerBody: {
            /**
             * @description For people; null when there is none.
             * @example Buys every Friday
             */
            description?: string | null;
            /**
             * @description E-mail address.
             * @example sari@example.com
             */
            email?: string | null;
            /**
             * @description Telephone number.
             * @example +62 812 3456 7890
             */
            phone?: string | null;
            /** @description Postal address; null when there is none. */
            address?: components["schemas"]["AddressBody"] | null;
            /** @description Where goods go; null when nowhere. */
            shipping?: components["schemas"]["ShippingBody"] | null;
            /** @description Tax number; null when there is none. */
            tax?: components["schemas"]["TaxBody"] | null;
            /**
             * @description Your own pairs of strings; not answered.
             * @example {
             *       "table": "7"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description Name.
             * @example Sari Dewi
             */
            name: string;
        };
        AddressDto: {
            /**
             * @description Street and number.
             * @example Jalan Melati 5
             */
            line1: string | null;
            /**
             * @description Building, floor.
             * @example Lantai 2
             */
            line2: string | null;
            /**
             * @description City.
             * @example Bandung
             */
            city: string | null;
            /**
             * @description State or province.
             * @example Jawa Barat
             */
            state: string | null;
            /**
             * @description Postal code.
             * @example 40115
             */
            postal_code: string | null;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example ID
             */
            country: string | null;
        };
        ShippingDto: {
            /**
             * @description Telephone number.
             * @example +62 812 3456 7890
             */
            phone: string | null;
            /**
             * @description Who receives the goods.
             * @example Sari Dewi
             */
            receiver_name: string | null;
            /** @description Postal address; null when there is none. */
            address: components["schemas"]["AddressDto"] | null;
        };
        TaxDto: {
            /**
             * @description Kind of the tax number.
             * @example NPWP
             */
            id_type: string | null;
            /**
             * @description Tax number.
             * @example 09.254.294.3-407.000
             */
            id_value: string | null;
        };
        CustomerDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Name.
             * @example Sari Dewi
             */
            name: string;
            /**
             * @description For people; null when there is none.
             * @example Buys every Friday
             */
            description: string | null;
            /**
             * @description E-mail address.
             * @example sari@example.com
             */
            email: string | null;
            /**
             * @description Telephone number.
             * @example +62 812 3456 7890
             */
            phone: string | null;
            /** @description Postal address; null when there is none. */
            address: components["schemas"]["AddressDto"] | null;
            /** @description Where goods go; null when nowhere. */
            shipping: components["schemas"]["ShippingDto"] | null;
            /** @description Tax number; null when there is none. */
            tax: components["schemas"]["TaxDto"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
        };
        UpdateCustomerBody: {
            /**
             * @description For people; null when there is none.
             * @example Buys every Friday
             */
            description?: string | null;
            /**
             * @description E-mail address.
             * @example sari@example.com
             */
            email?: string | null;
            /**
             * @description Telephone number.
             * @example +62 812 3456 7890
             */
            phone?: string | null;
            /** @description Postal address; null when there is none. */
            address?: components["schemas"]["AddressBody"] | null;
            /** @description Where goods go; null when nowhere. */
            shipping?: components["schemas"]["ShippingBody"] | null;
            /** @description Tax number; null when there is none. */
            tax?: components["schemas"]["TaxBody"] | null;
            /**
             * @description Your own pairs of strings; not answered.
             * @example {
             *       "table": "7"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * Format: uuid
             * @description Which customer.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Name.
             * @example Sari Dewi
             */
            name?: string;
        };
        CustomerEventDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description What kind it is.
             * @example CustomerUpdated
             */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            occurred_on: string;
            /**
             * @description A key's id, or `System`.
             * @example key_5f3b8c1d
             */
            actor: string;
            /**
             * @description The same for everything that one request brought about.
             * @example 4bf92f3577b34da6a3ce929d0e0e4736
             */
            correlation_id: string;
            /**
             * @description Id of the event or the request that caused this.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            causation_id: string;
            /**
             * @description The fact. What was personal is null once the customer is deleted.
             * @example {
             *       "charge_id": "0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d",
             *       "currency": "IDR",
             *       "amount": 10000
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        AgreedFeeDto: {
            /**
             * @description What kind it is.
             * @example PERCENTAGE
             * @enum {string}
             */
            type: "PERCENTAGE" | "FIXED";
            /**
             * @description A percentage (0.7 means 0.7 %) or minor units.
             * @example 0.7
             */
            value: number;
        };
        ChargeFeeDto: {
            /**
             * @description Payment channel.
             * @example QR_QRIS
             * @enum {string}
             */
            channel_code: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
            /** @description What the merchant pays for it, fixed at its creation. */
            fee: components["schemas"]["AgreedFeeDto"];
        };
        AgreedPayoutFeeDto: {
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description What the merchant pays for it, fixed at its creation.
             * @example {
             *       "type": "FIXED",
             *       "value": 250000
             *     }
             */
            fee: components["schemas"]["AgreedFeeDto"];
        };
        AgreedDisputeFeeDto: {
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description What the merchant pays for it, fixed at its creation.
             * @example {
             *       "type": "FIXED",
             *       "value": 5000
             *     }
             */
            fee: components["schemas"]["AgreedFeeDto"];
        };
        FeesDto: {
            /** @description By channel; those that are switched off are left out. */
            charges: components["schemas"]["ChargeFeeDto"][];
            /** @description By currency. */
            payouts: components["schemas"]["AgreedPayoutFeeDto"][];
            /** @description By currency; of a dispute when it is lost for the first time. */
            disputes: components["schemas"]["AgreedDisputeFeeDto"][];
        };
        WebHookDto: {
            /**
             * Format: uri
             * @description Where events are posted to.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description The kinds that are sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events: string[];
            /**
             * @description The last characters of the signature key.
             * @example …x4Qz
             */
            key_hint: string;
            /**
             * @description DISABLED: nothing is sent until it is set again.
             * @example ENABLED
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description GONE: the receiver answered 410. EXHAUSTED: it took nothing for three days.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "GONE" | "EXHAUSTED" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is not.
             * @example null
             */
            disabled_on: string | null;
        };
        MerchantDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Name.
             * @example Kopi Kita
             */
            name: string;
            /**
             * Format: email
             * @description E-mail address.
             * @example kasir@kopikita.example
             */
            email: string | null;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example ID
             */
            country: string;
            /**
             * @description The payments of a test merchant are simulated.
             * @example TEST
             * @enum {string}
             */
            mode: "TEST" | "LIVE";
            /**
             * @description Where it stands.
             * @example ACTIVE
             * @enum {string}
             */
            status: "ACTIVE";
            /**
             * @description Currency of the merchant’s country.
             * @example IDR
             */
            default_currency: string;
            /**
             * @description IANA.
             * @example Asia/Jakarta
             */
            timezone: string;
            /** @description What the merchant pays for what it creates from now on. */
            fees: components["schemas"]["FeesDto"];
            /**
             * @description null until one is set.
             * @example null
             */
            web_hook: components["schemas"]["WebHookDto"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
        };
        ChannelRefundDto: {
            /**
             * @description For how many days after the payment.
             * @example 30
             */
            days: number;
            /**
             * @description False: the whole charge only.
             * @example true
             */
            partial: boolean;
        };
        ChannelDto: {
            /**
             * @description Lower case.
             * @example qr_qris
             */
            code: string;
            /**
             * @description Name.
             * @example QRIS
             */
            name: string;
            /**
             * @description ISO 3166-1 alpha-2.
             * @example ID
             * @enum {string}
             */
            country: "ID" | "MY" | "SG";
            /**
             * @description ISO 4217.
             * @example IDR
             * @enum {string}
             */
            currency: "IDR" | "MYR" | "SGD";
            /**
             * @description Banking days until paid money is available.
             * @example T+2
             */
            settlement: string;
            /**
             * Format: int64
             * @description Minor units, inclusive.
             * @example 100
             */
            min_amount: number;
            /**
             * Format: int64
             * @description Minor units, inclusive.
             * @example 1000000000
             */
            max_amount: number;
            /** @description null where nothing goes back by this channel. */
            refund: components["schemas"]["ChannelRefundDto"] | null;
            /**
             * @description Who changed it for this merchant; System while it is as shipped.
             * @example System
             */
            last_modified_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            last_modified_on: string;
        };
        BalanceDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description Available plus pending; reserved is outside.
             * @example 9930
             */
            total_amount: number;
            /**
             * Format: int64
             * @description Funds for payouts and refunds. Reversals after settlement alone may drive it below zero.
             * @example 0
             */
            available_amount: number;
            /**
             * Format: int64
             * @description Funds that wait for their settlement.
             * @example 9930
             */
            pending_amount: number;
            /**
             * Format: int64
             * @description Funds held for payouts and refunds that are under way.
             * @example 0
             */
            reserved_amount: number;
            /**
             * Format: int64
             * @description Fees of succeeded charges and payouts, less what was reversed or refunded.
             * @example 70
             */
            fee_amount: number;
            /**
             * @description Charges settled and not reversed.
             * @example 0
             */
            available_count: number;
            /**
             * @description Charges succeeded and not yet settled.
             * @example 1
             */
            pending_count: number;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            last_modified_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            last_modified_on: string;
        };
        BalanceThenDto: {
            /**
             * Format: int64
             * @description Minor units.
             * @example 9930
             */
            pending_amount: number;
            /**
             * Format: int64
             * @description Minor units: funds for payouts.
             * @example 0
             */
            available_amount: number;
            /**
             * Format: int64
             * @description Minor units: held for payouts that are under way.
             * @example 0
             */
            reserved_amount: number;
            /**
             * Format: int64
             * @description Available plus pending.
             * @example 9930
             */
            total_amount: number;
            /**
             * Format: int64
             * @description Fees so far.
             * @example 70
             */
            fee_amount: number;
        };
        GroupDto: {
            /**
             * @description What kind it is.
             * @example SETTLEMENTS
             * @enum {string}
             */
            kind: "CHARGES" | "SETTLEMENTS" | "ADJUSTMENTS" | "PAYOUTS" | "REFUNDS" | "DISPUTES";
            /**
             * @description Where the bucket tells them apart.
             * @example null
             */
            status: string | null;
            /**
             * @description How many there are.
             * @example 1
             */
            count: number;
            /**
             * Format: int64
             * @description Minor units. The groups of a bucket add up to its amount.
             * @example 9930
             */
            amount: number;
        };
        FundingDto: {
            /**
             * Format: uuid
             * @description null of an adjustment.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            settlement_id: string | null;
            /**
             * @description null of an adjustment.
             * @example 1
             */
            settlement_number: number | null;
            /**
             * Format: uuid
             * @description null of a settlement.
             * @example null
             */
            adjustment_id: string | null;
            /**
             * Format: int64
             * @description Minor units.
             * @example 5000
             */
            amount: number;
        };
        PartDto: {
            /**
             * @description What kind it is.
             * @example SETTLEMENT
             * @enum {string}
             */
            kind: "CHARGE" | "SETTLEMENT" | "ADJUSTMENT" | "PAYOUT" | "REFUND" | "DISPUTE";
            /**
             * Format: uuid
             * @description Of the charge, settlement, adjustment, payout, refund or dispute.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Its number within merchant and currency.
             * @example 1
             */
            settlement_number: number | null;
            /**
             * @description Of a charge.
             * @example null
             */
            code: string | null;
            /**
             * @description Of a charge, payout or refund.
             * @example null
             */
            reference_id: string | null;
            /**
             * @description settlement_status of a charge, payout_status of a payout, refund_status of a refund.
             * @example null
             */
            status: string | null;
            /**
             * Format: int64
             * @description What it puts into the bucket, minor units. All items of a bucket add up to its amount.
             * @example 4930
             */
            amount: number;
            /**
             * @description Of a payout or refund under RESERVED, PAYOUTS and REFUNDS: the settlements and adjustments that its money came from, oldest first, at most 100; they add up to it, unless there are more or it is not covered yet.
             * @example null
             */
            funded_from: components["schemas"]["FundingDto"][] | null;
            /**
             * @description How many those are.
             * @example null
             */
            funded_from_count: number | null;
        };
        BucketDto: {
            /**
             * @description Part of the balance that is explained.
             * @example AVAILABLE
             * @enum {string}
             */
            bucket: "PENDING" | "AVAILABLE" | "RESERVED" | "FEES" | "PAYOUTS" | "REFUNDS";
            /**
             * Format: int64
             * @description As the balance has it; of PAYOUTS and REFUNDS what they took from available.
             * @example 4930
             */
            amount: number;
            /** @description What the bucket is made of, by kind. */
            groups: components["schemas"]["GroupDto"][];
            /** @description What is on this page. */
            items: components["schemas"]["PartDto"][];
            /**
             * @description After of the next page, with this Bucket; null at the end.
             * @example null
             */
            next_after: string | null;
        };
        ExplanationDto: {
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description Of the last event that is in it. Pages with the same position are of the same moment.
             * @example 4711
             */
            position: number;
            /** @description The balance at that moment. */
            balance: components["schemas"]["BalanceThenDto"];
            /** @description Each part of the balance, in its order. */
            buckets: components["schemas"]["BucketDto"][];
        };
        AdjustmentDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description UNMATCHED_TO_MERCHANT: a payment that no charge could take is yours. TOP_UP: your own money. FEE_CORRECTION: a fee was wrong. CLAWBACK: what you owe is taken. COVER: what you owe is given up.
             * @example UNMATCHED_TO_MERCHANT
             * @enum {string}
             */
            kind: "UNMATCHED_TO_MERCHANT" | "TOP_UP" | "FEE_CORRECTION" | "CLAWBACK" | "COVER";
            /**
             * Format: int64
             * @description What you have available more, in minor units; below zero for less.
             * @example 4965000
             */
            available_change: number;
            /**
             * Format: int64
             * @description Fee that was taken before, at the terms of the charge.
             * @example 35000
             */
            fee_amount: number;
            /**
             * Format: uuid
             * @description That a payment came for.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string | null;
            /**
             * @description The month that it belongs to, in UTC.
             * @example 2026-01
             */
            relates_to: string;
            /**
             * Format: date-time
             * @description When it was booked.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
        };
        RequestPayoutBody: {
            /**
             * Format: int64
             * @description Minor units, more than the fee, which comes out of it. What is left must be whole rupiah where the bank pays no others.
             * @example 1000000
             */
            amount: number;
            /**
             * @description A currency in which you hold a balance.
             * @example IDR
             */
            currency: string;
            /**
             * @description Who is paid.
             * @example Toko Melati
             */
            bank_account_name: string;
            /**
             * @description Number of the bank account: letters and digits.
             * @example 1234567890
             */
            bank_account_number: string;
            /**
             * @description Name of the bank.
             * @example Bank Central Asia
             */
            bank_name: string;
            /**
             * @description As payout rails number banks, where bank_name alone does not say which it is.
             * @example 014
             */
            bank_code?: string | null;
            /**
             * @description Your own number; not answered.
             * @example payroll-2026-01
             */
            reference_id?: string | null;
            /**
             * @description What the payout is for.
             * @example January
             */
            description?: string | null;
            /**
             * @description Your own pairs of strings; not answered.
             * @example {
             *       "table": "7"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
        };
        PayoutFeeDto: {
            /**
             * @description What kind it is.
             * @example FIXED
             * @enum {string}
             */
            type: "PERCENTAGE" | "FIXED";
            /**
             * @description A percentage (0.7 means 0.7 %) or minor units.
             * @example 250000
             */
            value: number;
        };
        BeneficiaryDto: {
            /**
             * @description How bank_account_name compares with the name that the bank has; UNKNOWN: the bank would not say.
             * @example EXACT
             * @enum {string}
             */
            match: "EXACT" | "CLOSE" | "DIFFERENT" | "UNKNOWN";
            /**
             * @description First letters of the name that the bank has.
             * @example T*** M***
             */
            name_masked: string | null;
        };
        PayoutApprovalDto: {
            /**
             * @description How many persons must approve it before it goes to a bank.
             * @example 2
             */
            required: number;
            /**
             * @description How many have.
             * @example 1
             */
            given: number;
            /**
             * Format: date-time
             * @description It is cancelled then, if approvals are missing.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            approve_by: string;
        };
        PayoutDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /** @description What the merchant pays for it, fixed at its creation. */
            fee: components["schemas"]["PayoutFeeDto"];
            /**
             * Format: int64
             * @description Minor units: what leaves your balance.
             * @example 1000000
             */
            amount: number;
            /**
             * Format: int64
             * @description Minor units.
             * @example 250000
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Minor units: what the bank account receives.
             * @example 750000
             */
            net_amount: number;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description Who is paid.
             * @example Toko Melati
             */
            bank_account_name: string;
            /**
             * @description Number of the bank account: letters and digits.
             * @example 1234567890
             */
            bank_account_number: string;
            /**
             * @description Name of the bank.
             * @example Bank Central Asia
             */
            bank_name: string;
            /**
             * @description REVERSED: the bank returned it, and its net and fee are available again.
             * @example PENDING
             * @enum {string}
             */
            payout_status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "REVERSED";
            /**
             * @description For people; null when there is none.
             * @example January
             */
            description: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
            /**
             * @description As it was given.
             * @example 014
             */
            bank_code: string | null;
            /**
             * @description Why it has not ended, when it is read. PENDING: approval (persons of the house must approve it), no-rail (nobody pays it out yet), bank-unknown (give bank_code), beneficiary-differs (the account is somebody else’s: it waits for the operator, or for you to cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (the bank is being asked), held (people are asking the bank). Null otherwise. Notifications and answers to POST say approval only.
             * @example null
             * @enum {string|null}
             */
            pending_reason: "approval" | "no-rail" | "bank-unknown" | "beneficiary-differs" | "rail-paused" | "quiet-hours" | "rail-unavailable" | "awaiting-bank" | "waiting-rail" | "outcome-unknown" | "held" | null;
            /** @description What the bank says of the account; null until it was asked, and in notifications and answers to POST. */
            beneficiary: components["schemas"]["BeneficiaryDto"] | null;
            /** @description Absent where nobody has to approve it. */
            approval?: components["schemas"]["PayoutApprovalDto"];
        };
        EvidenceDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description null: it was erased, or finance asks, to whom names of files are not shown.
             * @example receipt.pdf
             */
            name: string | null;
            /**
             * @description What the file shows.
             * @example RECEIPT
             * @enum {string}
             */
            category: "RECEIPT" | "SHIPPING" | "COMMUNICATION" | "REFUND" | "OTHER";
            /**
             * @description As it was sent, and is given back.
             * @example application/pdf
             * @enum {string}
             */
            media_type: "application/pdf" | "image/png" | "image/jpeg" | "text/plain";
            /**
             * @description Bytes.
             * @example 48213
             */
            size: number;
            /**
             * @description Of the bytes, in hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /**
             * @description Id of the key.
             * @example key_5f3b8c1d
             */
            added_by: string;
            /**
             * Format: date-time
             * @description When it was added.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            added_on: string;
            /**
             * @description Its bytes and its name are gone.
             * @example false
             */
            erased: boolean;
        };
        DisputeDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description The charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description The processor's own.
             * @example DSP-000041
             */
            reference: string;
            /**
             * @description How far it has come: an INQUIRY holds no money.
             * @example INQUIRY
             * @enum {string}
             */
            stage: "INQUIRY" | "CHARGEBACK" | "PRE_ARBITRATION" | "ARBITRATION";
            /**
             * @description Where the dispute stands.
             * @example INQUIRY
             * @enum {string}
             */
            dispute_status: "INQUIRY" | "ACTION_REQUIRED" | "UNDER_REVIEW" | "WON" | "LOST";
            /**
             * Format: int64
             * @description Minor units: in dispute.
             * @example 10000
             */
            amount: number;
            /**
             * Format: int64
             * @description Minor units: held for it while it is open, gone with it once it is lost.
             * @example 10000
             */
            held_amount: number;
            /**
             * Format: int64
             * @description Minor units: what of it exceeds what was left of the charge. Nothing is taken for it.
             * @example 0
             */
            excess_amount: number;
            /**
             * Format: int64
             * @description Minor units: what refunds had brought back, or were bringing, when it was opened.
             * @example 0
             */
            refunded_amount: number;
            /**
             * Format: int64
             * @description Minor units: what it costs you if it is lost.
             * @example 0
             */
            fee_amount: number;
            /**
             * @description The processor's own.
             * @example 13.1
             */
            reason_code: string;
            /**
             * @description In the words of the processor.
             * @example The goods were not received.
             */
            reason: string;
            /**
             * Format: date-time
             * @description Until when you may answer.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            due_by: string;
            /**
             * @description It is won, and does not come back.
             * @example false
             */
            is_final: boolean;
            /**
             * @description You accepted it, did not answer in time, or the processor decided.
             * @example null
             * @enum {string|null}
             */
            lost_reason: "ACCEPTED" | "LAPSED" | "DECIDED" | null;
            /** @description What you have shown for your side, in the order in which it was added. */
            evidence: components["schemas"]["EvidenceDto"][];
            /**
             * Format: date-time
             * @description When its list was made.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            opened_on: string;
            /**
             * Format: date-time
             * @description At this stage; null until you did.
             * @example null
             */
            challenged_on: string | null;
            /**
             * Format: date-time
             * @description When the processor took your challenge.
             * @example null
             */
            submitted_on: string | null;
            /**
             * Format: date-time
             * @description When it was won; null unless it is.
             * @example null
             */
            won_on: string | null;
            /**
             * Format: date-time
             * @description When it was lost; null unless it is.
             * @example null
             */
            lost_on: string | null;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
        };
        SettlementTotalsDto: {
            /**
             * @description Minor units, exact at any size: what the settlement adds to available; below zero when reversals outweigh.
             * @example 9930
             */
            net_amount: number;
            /**
             * @description Charges in it.
             * @example 1
             */
            charges: number;
            /**
             * @description Payments in it that were taken back.
             * @example 0
             */
            reversals: number;
            /**
             * @description Payouts that banks returned.
             * @example 0
             */
            returns: number;
            /**
             * @description Refunds that failed, whose money comes back.
             * @example 0
             */
            refunds: number;
            /**
             * @description Holds of disputes, their release and their fees.
             * @example 0
             */
            disputes: number;
        };
        SettlementDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description 1, 2, 3 … within merchant and currency, without gaps.
             * @example 1
             */
            number: number;
            /** @description What it adds up to. */
            totals: components["schemas"]["SettlementTotalsDto"];
            /**
             * Format: date-time
             * @description When its list was made.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            opened_on: string;
            /**
             * Format: date-time
             * @description null while its lines are being claimed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            closed_on: string | null;
        };
        SettlementLineDto: {
            /**
             * @description What kind it is.
             * @example CHARGE
             * @enum {string}
             */
            kind: "CHARGE" | "REVERSAL" | "RETURN" | "REFUND_RETURN" | "DISPUTE_HOLD" | "DISPUTE_RELEASE" | "DISPUTE_FEE";
            /**
             * Format: uuid
             * @description Of every line but a return.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id?: string;
            /**
             * Format: uuid
             * @description Of a return.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            payout_id?: string;
            /**
             * Format: uuid
             * @description Of a refund that failed.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            refund_id?: string;
            /**
             * Format: uuid
             * @description Of a dispute.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            dispute_id?: string;
            /**
             * Format: int64
             * @description Minor units: what the line adds to available; below zero for a reversal, a hold and a fee of a dispute. The lines add up to totals.net_amount.
             * @example 9930
             */
            net_amount: number;
        };
        SettlementDetailDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * @description 1, 2, 3 … within merchant and currency, without gaps.
             * @example 1
             */
            number: number;
            /** @description What it adds up to. */
            totals: components["schemas"]["SettlementTotalsDto"];
            /**
             * Format: date-time
             * @description When its list was made.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            opened_on: string;
            /**
             * Format: date-time
             * @description null while its lines are being claimed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            closed_on: string | null;
            /** @description What it is made of. */
            lines: components["schemas"]["SettlementLineDto"][];
        };
        SimulationBody: {
            /**
             * @description What is to happen to the charge, or to a refund or dispute of it, in any case.
             * @example SUCCEED
             * @enum {string}
             */
            outcome: "SUCCEED" | "FAIL" | "EXPIRE" | "SETTLE" | "REVERSE" | "REFUND-SUCCEED" | "REFUND-FAIL" | "REFUND-BOUNCE" | "DISPUTE-OPEN" | "DISPUTE-REOPEN" | "DISPUTE-WIN" | "DISPUTE-LOSE";
            /**
             * @description Why it failed, or is disputed; with `fail` and `dispute-open` only.
             * @example Insufficient balance
             */
            reason?: string | null;
            /**
             * Format: uuid
             * @description Of the refund; with `refund-…` only. Absent: the newest of the charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            refund_id?: string | null;
            /**
             * Format: uuid
             * @description Of the dispute; with `dispute-reopen`, `dispute-win` and `dispute-lose` only. Absent: the newest of the charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            dispute_id?: string | null;
            /**
             * @description Absent: `CHARGEBACK`. This and the next three with `dispute-open` only.
             * @example CHARGEBACK
             * @enum {string|null}
             */
            stage?: "INQUIRY" | "CHARGEBACK" | "PRE_ARBITRATION" | "ARBITRATION" | null;
            /**
             * Format: int64
             * @description In dispute, in minor units, even more than the charge. Absent: the amount of the charge.
             * @example 10000
             */
            amount?: number | null;
            /**
             * @description How long the merchant may answer. Absent: 604800, a week.
             * @example 604800
             */
            due_in_seconds?: number | null;
            /**
             * @description The processor’s name for the dispute: opening it again at a later stage reopens it. Absent: a new one.
             * @example SIM-4F9A1C02B7D3
             */
            reference?: string | null;
            /**
             * @description No later stage follows; with `dispute-win` only. Absent: false.
             * @example false
             */
            final?: boolean | null;
        };
        SimulatedRefundDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Where the refund stands.
             * @example SUCCEEDED
             * @enum {string}
             */
            refund_status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
        };
        SimulatedDisputeDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Where the dispute stands.
             * @example ACTION_REQUIRED
             * @enum {string}
             */
            dispute_status: "INQUIRY" | "ACTION_REQUIRED" | "UNDER_REVIEW" | "WON" | "LOST";
        };
        SimulatedChargeDto: {
            /**
             * @description Where it stands.
             * @example SUCCEEDED
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
            /**
             * @description Where the money of the charge is.
             * @example PENDING
             * @enum {string}
             */
            settlement_status: "UNKNOWN" | "PENDING" | "PROCESSING" | "SETTLED" | "REVERSED";
            /** @description After an outcome of a refund. */
            refund?: components["schemas"]["SimulatedRefundDto"];
            /** @description After an outcome of a dispute. */
            dispute?: components["schemas"]["SimulatedDisputeDto"];
        };
        SetWebHookBody: {
            /**
             * Format: uri
             * @description Where events are posted to: an absolute https URI, on the public internet, without credentials. Answered in its normal form, which is the one that is called.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description What signs: whsec_ and base64 of 24 to 64 bytes, or any text. After a change, the key before it signs too for 24 hours.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            signature_key: string;
            /**
             * @description The kinds to be sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events?: ("charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost")[] | null;
        };
        WebHookSetDto: {
            /**
             * Format: uri
             * @description Where events are posted to.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description The kinds that are sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events: ("charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost")[];
            /**
             * @description The last characters of the signature key.
             * @example …LaSw
             */
            key_hint: string;
            /**
             * @description DISABLED: nothing is sent until it is set again.
             * @example ENABLED
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description GONE: the receiver answered 410. EXHAUSTED: it took nothing for three days.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "GONE" | "EXHAUSTED" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is not.
             * @example null
             */
            disabled_on: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
            /**
             * @description The bytes that sign, as Standard Webhooks libraries take them. Shown this once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            verification_secret: string;
        };
        WebHookSettingsDto: {
            /**
             * Format: uri
             * @description Where events are posted to.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description The kinds that are sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events: ("charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost")[];
            /**
             * @description The last characters of the signature key.
             * @example …LaSw
             */
            key_hint: string;
            /**
             * @description DISABLED: nothing is sent until it is set again.
             * @example ENABLED
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description GONE: the receiver answered 410. EXHAUSTED: it took nothing for three days.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "GONE" | "EXHAUSTED" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is not.
             * @example null
             */
            disabled_on: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
        };
        DeliveryAttemptDto: {
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            attempted_on: string;
            /**
             * @description Where it stands.
             * @example SUCCEEDED
             * @enum {string}
             */
            status: "SUCCEEDED" | "FAILED";
            /**
             * @description HTTP status; null when there was no answer.
             * @example 204
             */
            response_code: number | null;
            /**
             * @description Milliseconds until the answer began, or the attempt failed.
             * @example 41
             */
            latency_ms: number;
            /**
             * @description Why there was no answer.
             * @example null
             */
            error: string | null;
        };
        DeliveryDto: {
            /**
             * Format: uuid
             * @description Of this record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description The header webhook-id, and the id of the event.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            webhook_id: string;
            /**
             * @description What kind it is.
             * @example charge.succeeded
             */
            type: string;
            /**
             * @description null for a test.
             * @example 42
             */
            sequence: number | null;
            /**
             * @description CANCELLED: the web-hook was deleted or disabled before.
             * @example PENDING
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
            /**
             * @description Of the last attempt.
             * @example 204
             */
            response_code: number | null;
            /**
             * @description Of the last attempt.
             * @example 41
             */
            latency_ms: number | null;
            /**
             * @description How many attempts there were in all.
             * @example 1
             */
            total_attempts: number;
            /** @description The last 50, oldest first. */
            attempts: components["schemas"]["DeliveryAttemptDto"][];
            /**
             * Format: date-time
             * @description null when it has ended.
             * @example null
             */
            next_attempt_on: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            created_on: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            updated_on: string;
        };
        EventDto: {
            /**
             * Format: uuid
             * @description The same as the header webhook-id of its deliveries.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description What kind it is.
             * @example charge.created
             * @enum {string}
             */
            type: "charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost";
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            timestamp: string;
            /**
             * Format: int64
             * @description 1, 2, 3 … over all kinds, without gaps.
             * @example 42
             */
            sequence: number;
            /**
             * Format: int64
             * @description In deliveries: the event before it among the kinds that are sent.
             * @example 41
             */
            previous_sequence?: number | null;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description The charge, the payout or the balance as the event left it; the customer as it is now, `{id, deleted: true}` when it was deleted.
             * @example {
             *       "charge_id": "0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d",
             *       "currency": "IDR",
             *       "amount": 10000
             *     }
             */
            data: {
                [key: string]: unknown;
            };
        };
        MovementDto: {
            /**
             * Format: int64
             * @description Minor units.
             * @example 9930
             */
            pending_amount: number;
            /**
             * Format: int64
             * @description Minor units: funds for payouts.
             * @example 0
             */
            available_amount: number;
            /**
             * Format: int64
             * @description Minor units: held for payouts that are under way.
             * @example 0
             */
            reserved_amount: number;
            /**
             * Format: int64
             * @description Available plus pending.
             * @example 9930
             */
            total_amount: number;
            /**
             * Format: int64
             * @description Fees so far.
             * @example 70
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Of the event in the ledger.
             * @example 4711
             */
            position: number;
            /**
             * Format: uuid
             * @description The event in the ledger.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            event_id: string;
            /**
             * @description What kind it is.
             * @example CHARGE_PAID
             * @enum {string}
             */
            kind: "CHARGE_PAID" | "CHARGE_REVERSED" | "REFUND_CLAIMED" | "REFUND_SUCCEEDED" | "REFUND_FAILED" | "REFUND_CANCELLED" | "REFUND_BOUNCED" | "DISPUTE_HELD" | "DISPUTE_LOST" | "DISPUTE_WON" | "REFUND_RESERVED" | "REFUND_RELEASED" | "SETTLEMENT" | "PAYOUT_REQUESTED" | "PAYOUT_CANCELLED" | "PAYOUT_FAILED" | "PAYOUT_SUCCEEDED" | "PAYOUT_RETURNED" | "ADJUSTMENT";
            /**
             * Format: date-time
             * @description Time of booking.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            booked_on: string;
            /**
             * Format: uuid
             * @description The charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string | null;
            /**
             * Format: uuid
             * @description The payout.
             * @example null
             */
            payout_id: string | null;
            /**
             * Format: uuid
             * @description Beside the charge of a refund.
             * @example null
             */
            refund_id: string | null;
            /**
             * Format: uuid
             * @description Beside the charge of a dispute.
             * @example null
             */
            dispute_id: string | null;
            /**
             * Format: uuid
             * @description The settlement.
             * @example null
             */
            settlement_id: string | null;
            /**
             * @description Its number within merchant and currency.
             * @example null
             */
            settlement_number: number | null;
            /**
             * @description Of the charge.
             * @example CHG_0123456789ABCDEF
             */
            code: string | null;
            /**
             * @description The merchant’s own, of the charge or payout.
             * @example order-1001
             */
            reference_id: string | null;
            /**
             * Format: int64
             * @description What the movement added, minor units; the amounts beside it are those after it.
             * @example 9930
             */
            pending_change: number;
            /**
             * Format: int64
             * @description What the movement added to available, minor units.
             * @example 0
             */
            available_change: number;
            /**
             * Format: int64
             * @description What the movement added to reserved, minor units.
             * @example 0
             */
            reserved_change: number;
            /**
             * Format: int64
             * @description What the movement added to fees, minor units.
             * @example 70
             */
            fee_change: number;
        };
        StatementDto: {
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * Format: date-time
             * @description Where the statement begins; null: with the first movement.
             * @example 2026-01-01T00:00:00.000+00:00
             */
            from: string | null;
            /**
             * Format: date-time
             * @description Where the statement ends.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            to: string;
            /** @description In front of the first movement of the whole statement, on every page. */
            opening_balance: components["schemas"]["BalanceThenDto"];
            /** @description Behind the last movement of the whole statement, on every page. */
            closing_balance: components["schemas"]["BalanceThenDto"];
            /** @description In the order of booking. */
            items: components["schemas"]["MovementDto"][];
            /**
             * Format: int64
             * @description After of the next page; null at the end.
             * @example null
             */
            next_after: number | null;
        };
        RemittanceLineDto: {
            /**
             * @description What kind it is.
             * @example CHARGE
             * @enum {string}
             */
            kind: "CHARGE" | "REVERSAL" | "RETURN" | "REFUND_RETURN" | "DISPUTE_HOLD" | "DISPUTE_RELEASE" | "DISPUTE_FEE" | "ADJUSTMENT";
            /**
             * Format: uuid
             * @description Of the charge, or of the payout that a bank returned, the refund, the dispute or its hold, the adjustment.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            record_id: string;
            /**
             * Format: uuid
             * @description null of a return, and of an adjustment that is about no charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string | null;
            /**
             * @description Of the charge.
             * @example C0FFEE12
             */
            code: string | null;
            /**
             * @description The merchant's own, of the charge.
             * @example order-1
             */
            reference_id: string | null;
            /**
             * Format: int64
             * @description Minor units; below zero for what is taken back.
             * @example 10000
             */
            gross_amount: number;
            /**
             * Format: int64
             * @description Of it; below zero for what is given back.
             * @example 70
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description gross_amount less fee_amount.
             * @example 9930
             */
            net_amount: number;
        };
        RemittanceSettlementDto: {
            /**
             * Format: uuid
             * @description null of an adjustment.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            settlement_id: string | null;
            /**
             * @description null of an adjustment.
             * @example 1
             */
            settlement_number: number | null;
            /**
             * Format: uuid
             * @description Of an adjustment; absent of a settlement.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            adjustment_id?: string;
            /**
             * Format: date-time
             * @description When the account had it.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            settled_on: string;
            /**
             * Format: int64
             * @description What it brought: its lines add up to it.
             * @example 9930
             */
            net_amount: number;
            /**
             * Format: int64
             * @description By payouts and refunds before this payout.
             * @example 0
             */
            used_before: number;
            /**
             * Format: int64
             * @description By this payout.
             * @example 5000
             */
            used_here: number;
            /**
             * Format: int64
             * @description For later ones.
             * @example 4930
             */
            left: number;
            /** @description What it is made of. */
            lines: components["schemas"]["RemittanceLineDto"][];
        };
        RemittanceDocumentDto: {
            /**
             * Format: uuid
             * @description The payout.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            payout_id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description ISO 4217.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description Minor units.
             * @example 5000
             */
            amount: number;
            /**
             * Format: int64
             * @description Of it.
             * @example 500
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Sent to the bank.
             * @example 4500
             */
            net_amount: number;
            /**
             * @description The merchant's own.
             * @example payout-1
             */
            reference_id: string | null;
            /**
             * Format: date-time
             * @description By the merchant.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            requested_on: string;
            /**
             * Format: date-time
             * @description When it succeeded; null until then.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            succeeded_on: string;
            /**
             * Format: int64
             * @description Of the PayoutSucceeded in the log: what was settled later has not paid for it.
             * @example 4711
             */
            position: number;
            /**
             * Format: int64
             * @description Of the amount, what no settlement had brought when it was paid; 0 but for a balance below zero.
             * @example 0
             */
            not_covered: number;
            /** @description Oldest first. Their used_here and not_covered add up to amount. */
            settlements: components["schemas"]["RemittanceSettlementDto"][];
        };
        RemittanceAdviceDto: {
            /** @description Written as RFC 8785 has it; a figure beyond 2^53 − 1 as a text of its digits. */
            document: components["schemas"]["RemittanceDocumentDto"];
            /**
             * @description SHA-256 of the document, hex.
             * @example a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3
             */
            digest: string;
            /**
             * @description Ed25519 (RFC 8032) public key, 32 bytes, hex: compare it with the one that the house has given you.
             * @example 1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f
             */
            public_key: string;
            /**
             * @description Over "chargebook remittance advice 1", digest and position, each with a line feed; base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
        };
        /** @description RFC 9457. */
        Problem: {
            /**
             * Format: uri
             * @description Address of a page that explains the problem.
             * @example https://pay.example.com/problems/not-found
             */
            type: string;
            /**
             * @description The kind of problem in words.
             * @example There is no such record or path
             */
            title: string;
            /**
             * @description The HTTP status.
             * @example 404
             */
            status: number;
            /**
             * @description What was wrong with this request. For people; may change.
             * @example There is no such record.
             */
            detail: string;
            /**
             * @description Path of the request.
             * @example /v1/charges/0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            instance: string;
            /**
             * @description The kind of problem, for programs; the last part of type.
             * @example not-found
             * @enum {string}
             */
            code: "validation-failed" | "malformed-json" | "malformed-request" | "idempotency-key-missing" | "idempotency-key-malformed" | "unauthenticated" | "insufficient-scope" | "insufficient-role" | "own-proposal" | "not-found" | "method-not-allowed" | "request-timeout" | "state-conflict" | "digest-mismatch" | "precondition-failed" | "body-too-large" | "unsupported-media-type" | "idempotency-key-reused" | "insufficient-balance" | "refund-not-available" | "refund-exceeds-charge" | "charge-disputed" | "evidence-missing" | "evidence-limit-reached" | "amount-out-of-range" | "channel-not-available" | "currency-mismatch" | "action-flow-not-supported" | "record-full" | "statement-refused" | "rate-limited" | "headers-too-large" | "internal-error" | "record-busy" | "unavailable";
            /**
             * @description Quote it when you ask for help.
             * @example req_4bf92f3577b34da6a3ce929d0e0e4736
             */
            request_id: string;
            /**
             * @description Every field or parameter that is wrong.
             * @example [
             *       {
             *         "pointer": "/amount",
             *         "code": "not-an-integer",
             *         "detail": "Must be an integer in minor units: 10000 stands for 100.00."
             *       }
             *     ]
             */
            errors?: {
                /**
                 * @description JSON pointer (RFC 6901) into the body.
                 * @example /amount
                 */
                pointer?: string;
                /**
                 * @description Name of a query parameter.
                 * @example PageSize
                 */
                parameter?: string;
                /**
                 * @description Stable, for programs.
                 * @example not-an-integer
                 */
                code: string;
                /**
                 * @description For people; may change.
                 * @example Must be an integer in minor units: 10000 stands for 100.00.
                 */
                detail: string;
            }[];
            /**
             * @description Of statement-refused: what is wrong with the file, for programs.
             * @example gap
             */
            reason?: string;
            /**
             * @description Of statement-refused: the line of the file, from 1; null where it is about none.
             * @example 12
             */
            line?: number | null;
            /**
             * @description Of statement-refused: what should stand there.
             * @example an opening balance of 11000 IDR
             */
            expected?: string;
            /**
             * @description Of statement-refused: what does.
             * @example 99900
             */
            found?: string;
        };
    };
    responses: {
        /** @description `validation-failed`: The request is not valid. */
        "validation-failed": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unauthenticated`: The request is not authenticated. */
        unauthenticated: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `insufficient-scope`: The key may not do this. */
        "insufficient-scope": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `rate-limited`: Too many requests. */
        "rate-limited": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `internal-error`: Something went wrong on our side. */
        "internal-error": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unavailable`: The service cannot answer just now. */
        unavailable: {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                "Retry-After": components["headers"]["Retry-After"];
                "Ledger-Position": components["headers"]["Ledger-Position"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `body-too-large`: The body is too large. */
        "body-too-large": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `unsupported-media-type`: The body’s media type is not supported. */
        "unsupported-media-type": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `not-found`: There is no such record or path. */
        "not-found": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `state-conflict`: The record’s state does not allow this. */
        "state-conflict": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. */
        "idempotency-key-reused": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `precondition-failed`: The record has changed. */
        "precondition-failed": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `record-full`: The record has been changed as often as it may be. */
        "record-full": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `evidence-missing`: The dispute has no evidence. */
        "evidence-missing": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description `evidence-limit-reached`: The dispute has as much evidence as it may have. */
        "evidence-limit-reached": {
            headers: {
                "Request-Id": components["headers"]["Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "Ledger-Lag": components["headers"]["Ledger-Lag"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
         * @example 1z141z4
         */
        "Min-Ledger-Position": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description On every answer. Quote it when you ask for help.
         * @example req_4bf92f3577b34da6a3ce929d0e0e4736
         */
        "Request-Id": string;
        /**
         * @description Requests that may come at once (q), and the seconds in which they are there again (w).
         * @example "default";q=200;w=2
         */
        "RateLimit-Policy": string;
        /**
         * @description Requests that may follow at once (r), and the seconds until all are there again (t).
         * @example "default";r=199;t=1
         */
        RateLimit: string;
        /**
         * @description Seconds to wait.
         * @example 1
         */
        "Retry-After": string;
        /**
         * @description Why the key was refused (RFC 6750).
         * @example Bearer realm="chargebook", error="invalid_token"
         */
        "WWW-Authenticate": string;
        /**
         * @description Path of the record.
         * @example /v1/charges/0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
         */
        Location: string;
        /**
         * @description true when the Idempotency-Key was used before, and this is the first response again.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description Where the write stands; opaque. A read that sends it as Min-Ledger-Position sees the write. With 503: it is recorded, and cannot be read yet.
         * @example 1z141z4
         */
        "Ledger-Position": string;
        /**
         * @description Seconds by which what is read may be behind; absent when it is not. A 404 that carries it may be of a record that was just created.
         * @example 2
         */
        "Ledger-Lag": string;
        /**
         * @description Records that match, on all pages.
         * @example 35
         */
        "X-Total-Count": string;
        /**
         * @description The name of the file, of CSV.
         * @example attachment; filename="journal.csv"
         */
        "Content-Disposition": string;
        /**
         * @description Pages (RFC 8288): rel first, prev, next and last.
         * @example <https://pay.example.com/v1/payouts?PageNumber=2&PageSize=10>; rel="next"
         */
        Link: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCharges: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Of this currency only; ISO 4217, in any case. */
                Currency?: string;
                /** @description Created at or after. */
                DateFrom?: string;
                /** @description Created at or before. */
                DateTo?: string;
                /** @description The one with this id only. */
                Id?: string;
                /**
                 * @description Of this payment channel only, in any case.
                 * @example QR_QRIS
                 */
                ChannelCode?: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
                /**
                 * @description At this status only, in any case.
                 * @example PENDING
                 */
                Status?: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
                /**
                 * @description Any part of code, reference_id or description, in any case; no wildcards.
                 * @example order-1001
                 */
                SearchText?: string;
                /**
                 * @description Ties fall to id.
                 * @example CREATED_ON
                 */
                OrderBy?: "CREATED_ON" | "AMOUNT" | "STATUS";
                /**
                 * @description Turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargePageDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    createCharge: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each record, the same when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChargeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedChargeDto"];
                };
            };
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. `amount-out-of-range`: The amount is out of range. `channel-not-available`: The payment channel is not available. `currency-mismatch`: The currency does not fit. `action-flow-not-supported`: The payment channel does not offer this flow. */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCharge: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeDetailDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    cancelCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeDetailDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listChargeEvents: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeEventDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    listChargeRefunds: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description By creation; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each record, the same when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
                "Idempotency-Key": string;
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestRefundBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundDto"];
                };
            };
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            /** @description `state-conflict`: The record’s state does not allow this. `charge-disputed`: A dispute of the charge is open. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. `refund-not-available`: The charge cannot be refunded. `refund-exceeds-charge`: The refund is larger than what is left of the charge. `insufficient-balance`: The available balance is too low. */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description By creation; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
                /** @description Of this currency only; ISO 4217, in any case. */
                Currency?: string;
                /**
                 * @description At this status only, in any case.
                 * @example PENDING
                 */
                Status?: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
                /** @description Of this charge only. */
                ChargeId?: string;
                /** @description Created at or after. */
                DateFrom?: string;
                /** @description Created at or before. */
                DateTo?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: 304 while the record is that version. */
                "If-None-Match"?: string;
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundDto"];
                };
            };
            /** @description It still is the version that If-None-Match names. There is no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description By creation; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if the customer is one of these versions: ETags, or `*`. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCustomerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            412: components["responses"]["precondition-failed"];
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            422: components["responses"]["record-full"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each record, the same when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"];
                };
            };
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            422: components["responses"]["idempotency-key-reused"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query: {
                /** @description Which customer. */
                Id: string;
            };
            header?: {
                /** @description Only if the customer is one of these versions: ETags, or `*`. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            412: components["responses"]["precondition-failed"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: 304 while the record is that version. */
                "If-None-Match"?: string;
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"];
                };
            };
            /** @description It still is the version that If-None-Match names. There is no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    deleteCustomerById: {
        parameters: {
            query?: never;
            header?: {
                /** @description Only if the customer is one of these versions: ETags, or `*`. */
                "If-Match"?: string;
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            412: components["responses"]["precondition-failed"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCustomerEvents: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerEventDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    listChannels: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    listBalances: {
        parameters: {
            query?: {
                /** @description The balance as it stood then (inclusive), by the time of booking. Not in the future. */
                AsOf?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getBalance: {
        parameters: {
            query?: {
                /** @description The balance as it stood then (inclusive), by the time of booking. Not in the future. */
                AsOf?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description ISO 4217.
                 * @example IDR
                 */
                currency: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BalanceDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    explainBalance: {
        parameters: {
            query?: {
                /** @description This bucket only; needed to go through its pages. */
                Bucket?: "PENDING" | "AVAILABLE" | "RESERVED" | "FEES" | "PAYOUTS" | "REFUNDS";
                /** @description next_after of the page before, with its Bucket. */
                After?: string;
                /**
                 * @description Items of each bucket.
                 * @example 20
                 */
                Limit?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description ISO 4217.
                 * @example IDR
                 */
                currency: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplanationDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    listAdjustments: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Of this currency only; ISO 4217, in any case. */
                Currency?: string;
                /**
                 * @description By booking; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdjustmentDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Of this currency only; ISO 4217, in any case. */
                Currency?: string;
                /**
                 * @description At this status only, in any case.
                 * @example PENDING
                 */
                Status?: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "REVERSED";
                /** @description Created at or after. */
                DateFrom?: string;
                /** @description Created at or before. */
                DateTo?: string;
                /**
                 * @description By creation; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    createPayout: {
        parameters: {
            query?: never;
            header: {
                /** @description A new value for each record, the same when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPayoutBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDto"];
                };
            };
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. `amount-out-of-range`: The amount is out of range. `insufficient-balance`: The available balance is too low. `currency-mismatch`: The currency does not fit. */
            422: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getPayout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    cancelPayout: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description By opening; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
                /** @description Of this currency only; ISO 4217, in any case. */
                Currency?: string;
                /**
                 * @description At this status only, in any case.
                 * @example INQUIRY
                 */
                Status?: "INQUIRY" | "ACTION_REQUIRED" | "UNDER_REVIEW" | "WON" | "LOST";
                /** @description Of this charge only. */
                ChargeId?: string;
                /** @description Opened at or after. */
                DateFrom?: string;
                /** @description Opened at or before. */
                DateTo?: string;
                /** @description Those that you may still answer, until then or earlier. */
                DueBefore?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description An ETag: 304 while the record is that version. */
                "If-None-Match"?: string;
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDto"];
                };
            };
            /** @description It still is the version that If-None-Match names. There is no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description The version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    challengeDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            422: components["responses"]["evidence-missing"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addDisputeEvidence: {
        parameters: {
            query: {
                /** @description Under which the file is shown and saved. */
                Name: string;
                /** @description What the file shows, in any case. */
                Category: "RECEIPT" | "SHIPPING" | "COMMUNICATION" | "REFUND" | "OTHER";
            };
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description The bytes of the file, 5242880 at most. */
        requestBody: {
            content: {
                "application/pdf": string;
                "image/png": string;
                "image/jpeg": string;
                "text/plain": string;
            };
        };
        responses: {
            /** @description These very bytes were there already. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceDto"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            422: components["responses"]["evidence-limit-reached"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDisputeEvidence: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
                /**
                 * @description The file.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                evidence_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "image/png": string;
                    "image/jpeg": string;
                    "text/plain": string;
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Of this currency only; ISO 4217, in any case. */
                Currency?: string;
                /**
                 * @description By opening; turns the whole order round, ties too.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getSettlement: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementDetailDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    simulateCharge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The last part of `simulation_url`.
                 * @example AZjA3npe
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SimulatedChargeDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `not-found`: There is no such record or path. */
            404: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `state-conflict`: The record’s state does not allow this. */
            409: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `body-too-large`: The body is too large. */
            413: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unsupported-media-type`: The body’s media type is not supported. */
            415: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `rate-limited`: Too many requests. */
            429: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `internal-error`: Something went wrong on our side. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebHookSettingsDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    setWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetWebHookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebHookSetDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not JSON. */
            400: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            413: components["responses"]["body-too-large"];
            415: components["responses"]["unsupported-media-type"];
            422: components["responses"]["record-full"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Page, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "X-Total-Count": components["headers"]["X-Total-Count"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDto"];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service cannot answer just now. */
            503: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "Ledger-Position": components["headers"]["Ledger-Position"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The sequence behind which to begin: the last one that you have.
                 * @example 41
                 */
                After?: number;
                /**
                 * @description One kind only.
                 * @example CHARGE.CREATED
                 */
                Type?: "CHARGE.CREATED" | "CHARGE.SUCCEEDED" | "CHARGE.FAILED" | "CHARGE.EXPIRED" | "CHARGE.CANCELLED" | "CHARGE.SETTLED" | "CHARGE.REVERSED" | "PAYOUT.CREATED" | "PAYOUT.PROCESSING" | "PAYOUT.SUCCEEDED" | "PAYOUT.FAILED" | "PAYOUT.CANCELLED" | "PAYOUT.REVERSED" | "CUSTOMER.CREATED" | "CUSTOMER.UPDATED" | "CUSTOMER.DELETED" | "BALANCE.UPDATED" | "REFUND.CREATED" | "REFUND.PROCESSING" | "REFUND.SUCCEEDED" | "REFUND.FAILED" | "REFUND.CANCELLED" | "DISPUTE.OPENED" | "DISPUTE.REOPENED" | "DISPUTE.DUE_SOON" | "DISPUTE.UNDER_REVIEW" | "DISPUTE.WON" | "DISPUTE.LOST";
                /**
                 * @description Events at once.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDto"][];
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description Booked then or later. Absent: from the first movement on. */
                From?: string;
                /** @description Booked then or earlier; not in the future. Absent: until now. */
                To?: string;
                /** @description The position to go on behind: next_after of the page before. */
                After?: number;
                /** @description Movements of a page, 100 when absent. CSV and HTML hold all of them. */
                Limit?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /** @description ISO 4217. */
                currency: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the form that Accept asks for; JSON without it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementDto"];
                    "text/csv": string;
                    "text/html": string;
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    getRemittanceAdvice: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position: the answer waits until it can be read, at most 5 seconds. One that no write was answered with, beyond the end of the log, is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Of this record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description In the form that Accept asks for; JSON without it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemittanceAdviceDto"];
                    "text/csv": string;
                    "text/html": string;
                };
            };
            400: components["responses"]["validation-failed"];
            401: components["responses"]["unauthenticated"];
            403: components["responses"]["insufficient-scope"];
            404: components["responses"]["not-found"];
            409: components["responses"]["state-conflict"];
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            503: components["responses"]["unavailable"];
        };
    };
    onChargeCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.created
                     * @enum {string}
                     */
                    type: "charge.created";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChargeSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.succeeded
                     * @enum {string}
                     */
                    type: "charge.succeeded";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChargeFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.failed
                     * @enum {string}
                     */
                    type: "charge.failed";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChargeExpired: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.expired
                     * @enum {string}
                     */
                    type: "charge.expired";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChargeCancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.cancelled
                     * @enum {string}
                     */
                    type: "charge.cancelled";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChargeSettled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.settled
                     * @enum {string}
                     */
                    type: "charge.settled";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onChargeReversed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.reversed
                     * @enum {string}
                     */
                    type: "charge.reversed";
                    /** @description What was recorded. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.created
                     * @enum {string}
                     */
                    type: "payout.created";
                    /** @description What was recorded. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutProcessing: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.processing
                     * @enum {string}
                     */
                    type: "payout.processing";
                    /** @description What was recorded. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.succeeded
                     * @enum {string}
                     */
                    type: "payout.succeeded";
                    /** @description What was recorded. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.failed
                     * @enum {string}
                     */
                    type: "payout.failed";
                    /** @description What was recorded. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutCancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.cancelled
                     * @enum {string}
                     */
                    type: "payout.cancelled";
                    /** @description What was recorded. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutReversed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.reversed
                     * @enum {string}
                     */
                    type: "payout.reversed";
                    /** @description What was recorded. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example customer.created
                     * @enum {string}
                     */
                    type: "customer.created";
                    /** @description What was recorded. */
                    data: components["schemas"]["CustomerDto"] | {
                        /**
                         * Format: uuid
                         * @description Of the customer that was deleted.
                         * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                         */
                        id: string;
                        /**
                         * @description Its details are gone.
                         * @example true
                         * @enum {boolean}
                         */
                        deleted: true;
                    };
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example customer.updated
                     * @enum {string}
                     */
                    type: "customer.updated";
                    /** @description What was recorded. */
                    data: components["schemas"]["CustomerDto"] | {
                        /**
                         * Format: uuid
                         * @description Of the customer that was deleted.
                         * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                         */
                        id: string;
                        /**
                         * @description Its details are gone.
                         * @example true
                         * @enum {boolean}
                         */
                        deleted: true;
                    };
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCustomerDeleted: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example customer.deleted
                     * @enum {string}
                     */
                    type: "customer.deleted";
                    /** @description What was recorded. */
                    data: components["schemas"]["CustomerDto"] | {
                        /**
                         * Format: uuid
                         * @description Of the customer that was deleted.
                         * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                         */
                        id: string;
                        /**
                         * @description Its details are gone.
                         * @example true
                         * @enum {boolean}
                         */
                        deleted: true;
                    };
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBalanceUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example balance.updated
                     * @enum {string}
                     */
                    type: "balance.updated";
                    /** @description What was recorded. */
                    data: components["schemas"]["BalanceDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundCreated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.created
                     * @enum {string}
                     */
                    type: "refund.created";
                    /** @description What was recorded. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundProcessing: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.processing
                     * @enum {string}
                     */
                    type: "refund.processing";
                    /** @description What was recorded. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundSucceeded: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.succeeded
                     * @enum {string}
                     */
                    type: "refund.succeeded";
                    /** @description What was recorded. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundFailed: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.failed
                     * @enum {string}
                     */
                    type: "refund.failed";
                    /** @description What was recorded. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onRefundCancelled: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.cancelled
                     * @enum {string}
                     */
                    type: "refund.cancelled";
                    /** @description What was recorded. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeOpened: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.opened
                     * @enum {string}
                     */
                    type: "dispute.opened";
                    /** @description What was recorded. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeReopened: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.reopened
                     * @enum {string}
                     */
                    type: "dispute.reopened";
                    /** @description What was recorded. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeDueSoon: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.due_soon
                     * @enum {string}
                     */
                    type: "dispute.due_soon";
                    /** @description What was recorded. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeUnderReview: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.under_review
                     * @enum {string}
                     */
                    type: "dispute.under_review";
                    /** @description What was recorded. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeWon: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.won
                     * @enum {string}
                     */
                    type: "dispute.won";
                    /** @description What was recorded. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onDisputeLost: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * Format: int64
                     * @description 1, 2, 3 … over all kinds, without gaps.
                     * @example 42
                     */
                    sequence: number;
                    /**
                     * Format: int64
                     * @description The event before it among the kinds that are sent; null: there is none.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.lost
                     * @enum {string}
                     */
                    type: "dispute.lost";
                    /** @description What was recorded. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onTest: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Id of the event, the same at every attempt.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                "webhook-id": string;
                /**
                 * @description Seconds since the epoch, of this attempt.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body with dots between them; after a change of key two, with a space between them.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description The same as the header webhook-id.
                     * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                     */
                    id: string;
                    /**
                     * Format: date-time
                     * @description When it happened.
                     * @example 2026-01-31T08:15:30.123+00:00
                     */
                    timestamp: string;
                    /**
                     * Format: uuid
                     * @description The merchant.
                     * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
                     */
                    merchant_id: string;
                    /**
                     * @description The kind.
                     * @example test
                     * @enum {string}
                     */
                    type: "test";
                    /**
                     * @description Empty.
                     * @example {}
                     */
                    data: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description There is nobody here any more: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Taken. Anything else, a redirect too, is tried again on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
