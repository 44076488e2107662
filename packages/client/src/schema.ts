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
         * @description Filtered, ordered and paged. The total count is exact.
         */
        get: operations["listCharges"];
        put?: never;
        /**
         * Create a charge
         * @description Creates a payment attempt on a channel. Repeating the request with the same Idempotency-Key is safe.
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
         * @description Cancelling the charge again returns the same response.
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
         * @description All events of the charge, oldest first.
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
         * @description Refunds the whole charge, the rest of it, or a part; the fee is returned in proportion. The net amount is deducted before the response: from pending, or from available once the charge is in a settlement. Repeating the request with the same Idempotency-Key is safe.
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
         * @description Allowed until the refund is handed to the processor. Cancelling it again returns the same response.
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
         * @description Repeating the request with the same Idempotency-Key is safe. After the customer is deleted, it returns 404.
         */
        post: operations["createCustomer"];
        /**
         * Delete a customer
         * @description Erases the personal data permanently. The customer then returns 404 everywhere.
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
         * @description All events of the customer, oldest first. They remain when the customer is deleted; their personal data is null from then on.
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
         * @description The payment channels that the calling merchant can use, with its own limits.
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
    "/v1/merchants/me/calendar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List banking days
         * @description Every day of a period, by the holidays in force. A settlement cycle T+n counts the banking days of the channel’s country.
         */
        get: operations["listBankingDays"];
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
         * @description Lists the items that make up pending, available, reserved and fees, to the minor unit and at one moment; and the settlements that funded each payout, first in, first out.
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
    "/v1/balances/{currency}/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Forecast a balance
         * @description The days on which pending money becomes available, by its due times. Open disputes, refunds and payouts are listed apart; nothing is assumed about them.
         */
        get: operations["forecastBalance"];
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
         * @description Changes of your available balance other than charges, refunds, disputes and payouts; oldest first. A bare array; X-Total-Count and Link lead through its pages.
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
         * @description The amount moves from available to reserved before the response. Repeating the request with the same Idempotency-Key is safe.
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
         * @description Allowed until the payout is handed to the bank. Cancelling it again returns the same response.
         */
        post: operations["cancelPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A payout's event history
         * @description Its request, approvals, submission, result and return, oldest first. occurred_on of PayoutSucceeded is when it was paid.
         */
        get: operations["listPayoutEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payouts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a payout
         * @description Decides as the request would, with the same body, and records nothing. A refusal is a part of the response.
         */
        post: operations["previewPayout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a charge
         * @description Decides as the request would, with the same body, and records nothing. A refusal is a part of the response.
         */
        post: operations["previewCharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/charges/{id}/refunds/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a refund
         * @description Decides as the request would, with the same body, and records nothing. A refusal is a part of the response.
         */
        post: operations["previewRefund"];
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
         * @description Hands the added evidence to the processor, which then decides. Allowed until due_by. The request has no body. Challenging the dispute again returns the same response.
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
         * @description The dispute is lost: the customer keeps the held amount. The request has no body. Accepting the dispute again returns the same response.
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
         * @description The request body is the file itself: PDF, PNG, JPEG or UTF-8 text, at most 5 MiB, within 15 seconds. A dispute takes at most 10 files and 20 MiB in total, while you can still answer it. Sending the same bytes again returns the first file, with 200. Files and their names are encrypted and can be erased.
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
         * @description Returned as an attachment, byte for byte as it was sent.
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
         * @description Oldest first, including empty ones. A bare array; X-Total-Count and Link lead through its pages.
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
         * @description A settlement with its lines, whose amounts add up to its total.
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
         * Simulate an outcome of a test charge
         * @description Use the `simulation_url` of a charge; its unguessable path is the credential. Succeeding an expired, cancelled or failed charge simulates money that arrives late. `settle` settles the charge now, whatever its due date. `refund-succeed`, `refund-fail` and `refund-bounce` end a refund of the charge; `dispute-open`, `dispute-reopen`, `dispute-win` and `dispute-lose` simulate a dispute.
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
         * @description Does not include the key.
         */
        get: operations["getWebhook"];
        put?: never;
        /**
         * Set the web-hook
         * @description Events from now on are posted to it; earlier ones are at GET /v1/events. Setting it again enables a disabled web-hook.
         */
        post: operations["setWebhook"];
        /**
         * Delete the web-hook
         * @description Undelivered events are cancelled.
         */
        delete: operations["deleteWebhook"];
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
         * @description Sends an event of type `test`, without a sequence, once. The deliveries show its result.
         */
        post: operations["testWebhook"];
        delete?: never;
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
         * @description Newest first, with each attempt; deliveries are kept for 30 days after their end.
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
         * @description Delivers it immediately, with the same webhook-id and sequence, and restarts the schedule of retries.
         */
        post: operations["redeliverWebhook"];
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
         * @description The events that the web-hook delivers, in sequence, from any age. Use it to catch up.
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
         * @description Opening balance, every movement with its record and the balance after it, and closing balance; by the time of booking. JSON is paged, and each page shows the balances of the whole statement. CSV and a printable page (`Accept: text/html`; in Indonesian, Malay or English by `Accept-Language`) contain the whole statement.
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
         * Read the remittance advice of a payout
         * @description The settlements that funded the payout, first in, first out in the order in which payouts succeeded, each with all of its lines. Available once the payout has succeeded; it never changes. JSON is signed; CSV and a printable page (`Accept: text/html`) contain the same data.
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
         * @description A charge was paid. Also sent for a late payment of an expired or cancelled charge.
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
         * @description The charge was not paid in time. Money that arrives later still makes it succeed.
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
         * @description The payment was reversed, and its net amount deducted.
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
         * @description The bank has paid the payout.
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
         * @description The bank refused the payout; the amount is available again.
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
         * @description A balance has changed. Follows the event that changed it.
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
         * @description A refund was requested; its net amount is held.
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
         * @description The processor refused the refund, or returned it after it had succeeded; the net amount is credited to you again.
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
         * @description The refund was cancelled; the net amount is credited to you again.
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
         * @description A customer disputes a payment. After an inquiry stage the money is held, as balance.updated shows. Answer until due_by.
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
         * @description A dispute that you had won was reopened at a later stage, and the money is held again.
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
         * @description You have won the dispute, and the money is credited to you again.
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
         * @description The customer keeps the money: you accepted the dispute, did not answer in time, or the processor decided.
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
         * @description You requested a test.
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
             * @description Currency of the channel.
             * @example IDR
             */
            currency: string;
            /**
             * @description Payment channel, case-insensitive.
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
             * @description Your order or invoice number. It may repeat, and SearchText finds it.
             * @example order-1001
             */
            reference_id: string;
            /**
             * @description Purpose of the payment.
             * @example Two coffees
             */
            description?: string | null;
            /**
             * @description Your own key-value pairs; values are strings. Returned as meta_data.
             * @example {
             *       "table": "7"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * @description Address to which the hosted payment page returns the customer when the payment has ended, used exactly as sent: an https address, or an app link whose scheme is a domain name in reverse, without credentials. The redirect does not include the result: read the charge, or wait for the webhook.
             * @example https://shop.example.com/orders/1001
             */
            return_url?: string | null;
        };
        ChargeActionDto: {
            /**
             * @description Type of this object.
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
             * @description Page for simulating the payment of a test charge; null for live merchants.
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
             * @description The payment provider’s own page or app; only on live channels that have one.
             * @example https://checkout.example.com/dana/8f3k
             */
            redirect_url?: string;
        };
        CreatedChargeDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Short, unique name of the charge for people.
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
             * @description ISO 4217 currency code.
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
             * @description How the customer is taken to the payment.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Current status.
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
             * @description Your own key-value pairs; values are strings.
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
             * @description The return_url of the request; absent if the request had none.
             * @example https://shop.example.com/orders/1001
             */
            return_url?: string;
            /** @description The page or code to present to the customer, or the address to redirect to. */
            action: components["schemas"]["ChargeActionDto"];
            /**
             * @description The payment provider’s reference of the payment; null until the customer can pay. Only on charges that a payment provider processes.
             * @example pr-8877c08a-740d-4153-9816-3d744ed197a5
             */
            processor_reference?: string | null;
            /**
             * @description The payment provider’s error code; only if it refused the payment.
             * @example CHANNEL_UNAVAILABLE
             */
            failure_code?: string;
        };
        ChargeListItemDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Short, unique name of the charge for people.
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
             * @description ISO 4217 currency code.
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
             * @description How the customer is taken to the payment.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Current status.
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
             * @description Your own key-value pairs; values are strings.
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
             * @description The return_url of the request; absent if the request had none.
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
             * @description Settlement status of the charge.
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
             * @description Minor units: sum of the refunds that have succeeded.
             * @example 0
             */
            refunded_amount: number;
            /**
             * Format: int64
             * @description Minor units: amount held or lost in disputes.
             * @example 0
             */
            disputed_amount: number;
            /**
             * Format: date-time
             * @description When the money is due; only if the charge has succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            settlement_date?: string;
            /**
             * Format: date-time
             * @description When the charge was paid; only if it has succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            paid_on?: string;
            /**
             * Format: date-time
             * @description When the charge failed; only if it has failed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            failed_on?: string;
        };
        ChargePageDto: {
            /**
             * Format: int32
             * @description Page number, from 1.
             * @example 1
             */
            page_number: number;
            /**
             * Format: int32
             * @description Number of records per page.
             * @example 10
             */
            page_size: number;
            /**
             * Format: int64
             * @description Number of pages; 0 when nothing matches.
             * @example 1
             */
            page_count: number;
            /**
             * Format: int64
             * @description Exact number of matching charges.
             * @example 1
             */
            total_item_count: number;
            /** @description The items of this page. */
            items: components["schemas"]["ChargeListItemDto"][];
        };
        FeeDto: {
            /**
             * @description Type of this object.
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
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Short, unique name of the charge for people.
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
             * @description ISO 4217 currency code.
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
             * @description How the customer is taken to the payment.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Current status.
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
             * @description Your own key-value pairs; values are strings.
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
             * @description The return_url of the request; absent if the request had none.
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
             * @description Settlement status of the charge.
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
             * @description Minor units: sum of the refunds that have succeeded.
             * @example 0
             */
            refunded_amount: number;
            /**
             * Format: int64
             * @description Minor units: amount held or lost in disputes.
             * @example 0
             */
            disputed_amount: number;
            /**
             * Format: date-time
             * @description When the money is due; only if the charge has succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            settlement_date?: string;
            /**
             * Format: date-time
             * @description When the charge was paid; only if it has succeeded.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            paid_on?: string;
            /**
             * Format: date-time
             * @description When the charge failed; only if it has failed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            failed_on?: string;
            /**
             * Format: int64
             * @description Minor units: amount that can still be refunded, less pending and processing refunds; 0 unless the charge has succeeded.
             * @example 10000
             */
            refundable_amount: number;
            /** @description Fee that the merchant pays, fixed at creation. */
            fee: components["schemas"]["FeeDto"];
            /**
             * Format: uuid
             * @description Id of the charge on statements; fixed at creation.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_statement_id: string;
            /**
             * @description Payment processor that takes the payment.
             * @example SIMULATOR
             */
            processor: string;
            /** @description How the customer pays; null until the payment provider has answered. Only on charges that a payment provider processes. */
            action?: components["schemas"]["ChargeActionDto"] | null;
            /**
             * @description The payment provider’s reference of the payment; null until the customer can pay. Only on charges that a payment provider processes.
             * @example pr-8877c08a-740d-4153-9816-3d744ed197a5
             */
            processor_reference?: string | null;
            /**
             * @description The payment provider’s error code; only if it refused the payment.
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
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Type of this object.
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
             * @description Id of the key that acted, System, or Operator for a decision of an operator of the service.
             * @example System
             */
            actor: string;
            /**
             * @description Shared by all events that one request caused.
             * @example 4bf92f3577b34da6a3ce929d0e0e4736
             */
            correlation_id: string;
            /**
             * @description Id of the event or request that caused this event.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            causation_id: string;
            /**
             * @description The recorded event.
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
             * @description Minor units. Default: the rest of the charge.
             * @example 4000
             */
            amount?: number | null;
            /**
             * @description Reason of the refund, case-insensitive.
             * @example REQUESTED_BY_CUSTOMER
             * @enum {string|null}
             */
            reason?: "REQUESTED_BY_CUSTOMER" | "DUPLICATE" | "FRAUDULENT" | "CANCELLATION" | "OTHER" | null;
            /**
             * @description Your own reference.
             * @example return-1001
             */
            reference_id?: string | null;
            /**
             * @description For people; null when there is none.
             * @example One coffee was cold
             */
            description?: string | null;
            /**
             * @description Your own key-value pairs; values are strings. Returned as meta_data. For a test refund, `simulate` can be `fail`, `bounce` or `stick`.
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
             * @description Id of the record.
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
             * @description Minor units: amount that the customer receives.
             * @example 4000
             */
            amount: number;
            /**
             * Format: int64
             * @description Minor units: part of the fee that is returned to you.
             * @example 28
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Minor units: amount deducted from your balance, amount − fee_amount.
             * @example 3972
             */
            net_amount: number;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description Balance that the money is deducted from: AVAILABLE once the charge is in a settlement.
             * @example PENDING
             * @enum {string}
             */
            source: "PENDING" | "AVAILABLE";
            /**
             * @description Status of the refund.
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
             * @description The processor’s reason, in its own words.
             * @example null
             */
            processor_reason: string | null;
            /**
             * @description Explanation for people.
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
             * @description Your own key-value pairs; values are strings.
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
             * @description When it succeeded; null until it does.
             * @example null
             */
            succeeded_on: string | null;
            /**
             * Format: date-time
             * @description When it failed; null if it did not.
             * @example null
             */
            failed_on: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled; null if it was not.
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
             * @description Name of the person who receives the goods.
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
            /** @description Shipping details; null when nothing is shipped. */
            shipping?: components["schemas"]["ShippingBody"] | null;
            /** @description Tax number; null when there is none. */
            tax?: components["schemas"]["TaxBody"] | null;
            /**
             * @description Your own key-value pairs; values are strings. Not returned.
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
             * @description ISO 3166-1 alpha-2 country code.
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
             * @description Name of the person who receives the goods.
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
             * @description Id of the record.
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
            /** @description Shipping details; null when nothing is shipped. */
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
            /** @description Shipping details; null when nothing is shipped. */
            shipping?: components["schemas"]["ShippingBody"] | null;
            /** @description Tax number; null when there is none. */
            tax?: components["schemas"]["TaxBody"] | null;
            /**
             * @description Your own key-value pairs; values are strings. Not returned.
             * @example {
             *       "table": "7"
             *     }
             */
            metadata?: {
                [key: string]: string;
            } | null;
            /**
             * Format: uuid
             * @description Id of the customer.
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
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Type of this object.
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
             * @description Id of the key that acted, System, or Operator for a decision of an operator of the service.
             * @example System
             */
            actor: string;
            /**
             * @description Shared by all events that one request caused.
             * @example 4bf92f3577b34da6a3ce929d0e0e4736
             */
            correlation_id: string;
            /**
             * @description Id of the event or request that caused this event.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            causation_id: string;
            /**
             * @description The recorded event. Its personal data is null once the customer is deleted.
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
             * @description Type of this object.
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
            /** @description Fee that the merchant pays, fixed at creation. */
            fee: components["schemas"]["AgreedFeeDto"];
        };
        AgreedPayoutFeeDto: {
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description Fee that the merchant pays, fixed at creation.
             * @example {
             *       "type": "FIXED",
             *       "value": 250000
             *     }
             */
            fee: components["schemas"]["AgreedFeeDto"];
        };
        AgreedDisputeFeeDto: {
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description Fee that the merchant pays, fixed at creation.
             * @example {
             *       "type": "FIXED",
             *       "value": 5000
             *     }
             */
            fee: components["schemas"]["AgreedFeeDto"];
        };
        FeesDto: {
            /** @description Fees by channel, without disabled channels. */
            charges: components["schemas"]["ChargeFeeDto"][];
            /** @description Fees by currency. */
            payouts: components["schemas"]["AgreedPayoutFeeDto"][];
            /** @description Fees by currency; charged when a dispute is lost for the first time. */
            disputes: components["schemas"]["AgreedDisputeFeeDto"][];
        };
        WebHookDto: {
            /**
             * Format: uri
             * @description Address that receives the events.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description Event kinds that are sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events: string[];
            /**
             * @description Last characters of the signature key.
             * @example …x4Qz
             */
            key_hint: string;
            /**
             * @description DISABLED: no events are sent until the web-hook is set again.
             * @example ENABLED
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description GONE: the receiver returned 410. EXHAUSTED: the receiver accepted nothing for three days.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "GONE" | "EXHAUSTED" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is enabled.
             * @example null
             */
            disabled_on: string | null;
        };
        MerchantDto: {
            /**
             * Format: uuid
             * @description Id of the record.
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
             * @description Current status.
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
            /** @description Fees for records that the merchant creates from now on. */
            fees: components["schemas"]["FeesDto"];
            /**
             * @description null until a web-hook is set.
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
             * Format: int32
             * @description Number of days after the payment in which refunds are possible.
             * @example 30
             */
            days: number;
            /**
             * @description Whether a part can be refunded. False: only the whole charge.
             * @example true
             */
            partial: boolean;
        };
        ChannelDto: {
            /**
             * @description Code of the channel, in lower case.
             * @example qr_qris
             */
            code: string;
            /**
             * @description Name.
             * @example QRIS
             */
            name: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example ID
             * @enum {string}
             */
            country: "ID" | "MY" | "SG";
            /**
             * @description ISO 4217 currency code.
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
            /** @description null if the channel cannot refund. */
            refund: components["schemas"]["ChannelRefundDto"] | null;
            /**
             * @description Actor that changed the channel for this merchant; System while the channel has its default terms.
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
        BankingDayDto: {
            /**
             * Format: date
             * @description Day in the country.
             * @example 2026-12-25
             */
            date: string;
            /**
             * @description ISO 3166-1 alpha-2 country code.
             * @example ID
             * @enum {string}
             */
            country: "ID" | "MY" | "SG";
            /**
             * @description Whether money can become available: a day from Monday to Friday without a holiday.
             * @example false
             */
            banking_day: boolean;
            /**
             * @description Whether the day is a holiday, also on a weekend.
             * @example true
             */
            holiday: boolean;
        };
        BalanceDto: {
            /**
             * Format: uuid
             * @description Id of the record.
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
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description Available plus pending; does not include reserved.
             * @example 9930
             */
            total_amount: number;
            /**
             * Format: int64
             * @description Funds for payouts and refunds. Only reversals after settlement may make it negative.
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
             * @description Fees of succeeded charges and payouts, less reversed and refunded fees.
             * @example 70
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Charges settled and not reversed.
             * @example 0
             */
            available_count: number;
            /**
             * Format: int64
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
             * @description Minor units: funds available for payouts.
             * @example 0
             */
            available_amount: number;
            /**
             * Format: int64
             * @description Minor units: funds held for payouts that have not ended.
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
             * @description Fees up to this moment.
             * @example 70
             */
            fee_amount: number;
        };
        GroupDto: {
            /**
             * @description Kind of this object.
             * @example SETTLEMENTS
             * @enum {string}
             */
            kind: "CHARGES" | "SETTLEMENTS" | "ADJUSTMENTS" | "PAYOUTS" | "REFUNDS" | "DISPUTES";
            /**
             * @description Status of the records in the group; null if the bucket does not separate them by status.
             * @example null
             */
            status: string | null;
            /**
             * Format: int64
             * @description Number of items.
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
             * @description null for an adjustment.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            settlement_id: string | null;
            /**
             * Format: int64
             * @description null for an adjustment.
             * @example 1
             */
            settlement_number: number | null;
            /**
             * Format: uuid
             * @description null for a settlement.
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
             * @description Kind of this object.
             * @example SETTLEMENT
             * @enum {string}
             */
            kind: "CHARGE" | "SETTLEMENT" | "ADJUSTMENT" | "PAYOUT" | "REFUND" | "DISPUTE";
            /**
             * Format: uuid
             * @description Id of the charge, settlement, adjustment, payout, refund or dispute.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: int64
             * @description Number of the settlement, counted per merchant and currency.
             * @example 1
             */
            settlement_number: number | null;
            /**
             * @description Code of a charge; null otherwise.
             * @example null
             */
            code: string | null;
            /**
             * @description reference_id of a charge, payout or refund; null otherwise.
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
             * @description Contribution to the bucket, minor units. All items of a bucket add up to its amount.
             * @example 4930
             */
            amount: number;
            /**
             * @description A payout or refund under RESERVED, PAYOUTS or REFUNDS only: the settlements and adjustments that funded it, oldest first, at most 100. They add up to the amount, unless there are more or it is not covered yet.
             * @example null
             */
            funded_from: components["schemas"]["FundingDto"][] | null;
            /**
             * Format: int64
             * @description Number of settlements and adjustments that funded it.
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
            bucket: "PENDING" | "AVAILABLE" | "RESERVED" | "FEES" | "PAYOUTS" | "REFUNDS" | "ADJUSTMENTS";
            /**
             * Format: int64
             * @description Amount of the bucket, equal to the balance. For PAYOUTS, REFUNDS and ADJUSTMENTS, their change of available, below zero for money that they took.
             * @example 4930
             */
            amount: number;
            /** @description The contents of the bucket, by kind. */
            groups: components["schemas"]["GroupDto"][];
            /** @description The items of this page. */
            items: components["schemas"]["PartDto"][];
            /**
             * @description After for the next page, with this Bucket; null at the end.
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
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description Log position of the last event included. Pages with the same position show the same moment.
             * @example 4711
             */
            position: number;
            /** @description The balance at that moment. */
            balance: components["schemas"]["BalanceThenDto"];
            /** @description The parts of the balance, in a fixed order. */
            buckets: components["schemas"]["BucketDto"][];
        };
        ForecastOpeningDto: {
            /**
             * Format: int64
             * @description Minor units.
             * @example 0
             */
            available_amount: number;
            /**
             * Format: int64
             * @description Money that waits for its settlement.
             * @example 9930
             */
            pending_amount: number;
            /**
             * Format: int64
             * @description Money that open payouts, refunds and disputes hold.
             * @example 0
             */
            reserved_amount: number;
        };
        BroughtDto: {
            /**
             * Format: int64
             * @description Number of lines.
             * @example 1
             */
            count: number;
            /**
             * Format: int64
             * @description Minor units.
             * @example 9930
             */
            net_amount: number;
        };
        TakenDto: {
            /**
             * @description Kind of this object.
             * @example REVERSAL
             * @enum {string}
             */
            kind: "REVERSAL" | "DISPUTE_HOLD" | "DISPUTE_FEE";
            /**
             * Format: int64
             * @description Number of lines.
             * @example 1
             */
            count: number;
            /**
             * Format: int64
             * @description Minor units, above zero.
             * @example 9930
             */
            amount: number;
        };
        ForecastDayDto: {
            /**
             * Format: date
             * @description Day in the merchant’s time zone.
             * @example 2026-01-31
             */
            date: string;
            /**
             * @description Whether the day is a banking day in the merchant’s country.
             * @example true
             */
            banking_day: boolean;
            /** @description Charges, payouts that banks returned, and money that refunds and disputes give back. */
            brings: components["schemas"]["BroughtDto"];
            /** @description Money that the next settlement takes back, by kind; kinds without lines are left out. */
            takes: components["schemas"]["TakenDto"][];
            /**
             * Format: int64
             * @description Available balance at the end of the day if nothing else happens, minor units.
             * @example 9930
             */
            closing_available: number;
        };
        OpenDisputesDto: {
            /**
             * Format: int64
             * @description Number of items.
             * @example 0
             */
            count: number;
            /**
             * Format: int64
             * @description Money that they hold, minor units.
             * @example 0
             */
            held_amount: number;
            /**
             * Format: date-time
             * @description When the next of them must be answered; null when none can be.
             * @example null
             */
            next_due_by: string | null;
        };
        OpenPayoutsDto: {
            /**
             * Format: int64
             * @description Number of items.
             * @example 0
             */
            count: number;
            /**
             * Format: int64
             * @description Minor units, fees included.
             * @example 0
             */
            amount: number;
        };
        NotScheduledDto: {
            /** @description Disputes that are neither won nor lost. */
            disputes: components["schemas"]["OpenDisputesDto"];
            /**
             * @description Refunds that are PENDING or PROCESSING.
             * @example {
             *       "count": 0,
             *       "net_amount": 0
             *     }
             */
            refunds: components["schemas"]["BroughtDto"];
            /** @description Payouts that are PENDING or PROCESSING. */
            payouts: components["schemas"]["OpenPayoutsDto"];
        };
        ForecastLineDto: {
            /**
             * @description Kind of this object.
             * @example CHARGE
             * @enum {string}
             */
            kind: "CHARGE" | "REVERSAL" | "RETURN" | "REFUND_RETURN" | "DISPUTE_HOLD" | "DISPUTE_RELEASE" | "DISPUTE_FEE";
            /**
             * Format: uuid
             * @description Id of the charge, payout returned by a bank, refund, dispute, or hold or release of a dispute.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            record_id: string;
            /**
             * Format: uuid
             * @description null for a return.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string | null;
            /**
             * @description Code of the charge.
             * @example CHG_0123456789ABCDEF
             */
            code: string | null;
            /**
             * @description The merchant’s own reference of the charge.
             * @example order-1
             */
            reference_id: string | null;
            /**
             * Format: date-time
             * @description When it is due, or was.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            due_on: string;
            /**
             * @description A settlement that is not on the account yet has claimed it.
             * @example false
             */
            claimed: boolean;
            /**
             * Format: int64
             * @description Amount that the line adds to available, minor units; negative when it takes money.
             * @example 9930
             */
            net_amount: number;
        };
        ForecastDetailDto: {
            /**
             * Format: date
             * @description Day of the lines.
             * @example 2026-01-31
             */
            date: string;
            /** @description Lines of the day by due time; today’s include overdue and claimed ones. */
            items: components["schemas"]["ForecastLineDto"][];
            /**
             * @description After for the next page, with this Detail; null at the end.
             * @example null
             */
            next_after: string | null;
        };
        ForecastDto: {
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description The merchant’s time zone.
             * @example Asia/Jakarta
             */
            time_zone: string;
            /**
             * Format: int64
             * @description Log position of the last event included. Pages with the same position show the same moment.
             * @example 4711
             */
            position: number;
            /**
             * Format: date-time
             * @description The moment from which the forecast looks ahead.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            made_on: string;
            /** @description The balance at that moment. */
            opening: components["schemas"]["ForecastOpeningDto"];
            /** @description Days in the merchant’s time zone, today first. */
            days: components["schemas"]["ForecastDayDto"][];
            /**
             * @description Lines that are due after the last day.
             * @example {
             *       "count": 0,
             *       "net_amount": 0
             *     }
             */
            later: components["schemas"]["BroughtDto"];
            /** @description Open records. The forecast assumes no outcome of them. */
            not_scheduled: components["schemas"]["NotScheduledDto"];
            /** @description Only with Detail. */
            detail?: components["schemas"]["ForecastDetailDto"];
        };
        AdjustmentDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description UNMATCHED_TO_MERCHANT: a payment that no charge could take is credited to you. TOP_UP: your own money. FEE_CORRECTION: a fee was wrong. CLAWBACK: a debt of yours is collected. COVER: a debt of yours is waived.
             * @example UNMATCHED_TO_MERCHANT
             * @enum {string}
             */
            kind: "UNMATCHED_TO_MERCHANT" | "TOP_UP" | "FEE_CORRECTION" | "CLAWBACK" | "COVER";
            /**
             * Format: int64
             * @description Change of your available balance, minor units; negative when it decreases.
             * @example 4965000
             */
            available_change: number;
            /**
             * Format: int64
             * @description Fee that was deducted before, at the terms of the charge.
             * @example 35000
             */
            fee_amount: number;
            /**
             * Format: uuid
             * @description Charge that the payment was for.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string | null;
            /**
             * @description Month that the adjustment belongs to, in the time zone of the books of the service.
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
             * @description Minor units, more than the fee, which is deducted from it. The rest must be whole rupiah if the bank accepts no fractions.
             * @example 1000000
             */
            amount: number;
            /**
             * @description A currency in which you hold a balance.
             * @example IDR
             */
            currency: string;
            /**
             * @description Name of the account holder.
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
             * @description Bank number as payout rails define it. Set it if bank_name alone is ambiguous.
             * @example 014
             */
            bank_code?: string | null;
            /**
             * @description Your own reference; not returned.
             * @example payroll-2026-01
             */
            reference_id?: string | null;
            /**
             * @description Purpose of the payout.
             * @example January
             */
            description?: string | null;
            /**
             * @description Your own key-value pairs; values are strings. Not returned.
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
             * @description Type of this object.
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
             * @description How bank_account_name compares with the name at the bank; UNKNOWN: the bank did not answer the question.
             * @example EXACT
             * @enum {string}
             */
            match: "EXACT" | "CLOSE" | "DIFFERENT" | "UNKNOWN";
            /**
             * @description First letters of the name at the bank.
             * @example T*** M***
             */
            name_masked: string | null;
        };
        PayoutApprovalDto: {
            /**
             * Format: int32
             * @description Number of operators who must approve the payout before it is sent to a bank.
             * @example 2
             */
            required: number;
            /**
             * Format: int32
             * @description Number of operators who have approved it.
             * @example 1
             */
            given: number;
            /**
             * Format: date-time
             * @description The payout is cancelled at this moment if approvals are missing.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            approve_by: string;
        };
        PayoutDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /** @description Fee that the merchant pays, fixed at creation. */
            fee: components["schemas"]["PayoutFeeDto"];
            /**
             * Format: int64
             * @description Minor units: amount deducted from your balance.
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
             * @description Minor units: amount that the bank account receives.
             * @example 750000
             */
            net_amount: number;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description Name of the account holder.
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
             * @description REVERSED: the bank returned the payout; its net amount and fee are available again.
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
             * @description The bank_code of the request.
             * @example 014
             */
            bank_code: string | null;
            /**
             * @description Why the payout has not ended, at the time of reading. PENDING: approval (operators must approve it), no-rail (no rail is set for it yet), bank-unknown (set bank_code), beneficiary-differs (the account belongs to another name: the operator of the service accepts it, or you cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (inquiries to the bank continue), held (people are asking the bank). Null otherwise. Notifications and responses to POST contain approval only.
             * @example null
             * @enum {string|null}
             */
            pending_reason: "approval" | "no-rail" | "bank-unknown" | "beneficiary-differs" | "rail-paused" | "quiet-hours" | "rail-unavailable" | "awaiting-bank" | "waiting-rail" | "outcome-unknown" | "held" | null;
            /** @description The bank’s answer about the account; null until the bank was asked, and in notifications and responses to POST. */
            beneficiary: components["schemas"]["BeneficiaryDto"] | null;
            /** @description Absent if the payout needs no approval. */
            approval?: components["schemas"]["PayoutApprovalDto"];
        };
        PayoutEventDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Type of this object.
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
             * @description Id of the key that acted, System, or Operator for a decision of an operator of the service.
             * @example System
             */
            actor: string;
            /**
             * @description Shared by all events that one request caused.
             * @example 4bf92f3577b34da6a3ce929d0e0e4736
             */
            correlation_id: string;
            /**
             * @description Id of the event or request that caused this event.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            causation_id: string;
            /**
             * @description The recorded event. An approval does not name who gave it, and a settlement has the lines about this payout only.
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
        RefusalDto: {
            /**
             * @description Code of the problem that the request would return.
             * @example insufficient-balance
             */
            code: string;
            /**
             * @description Title of the problem.
             * @example The available balance is too low
             */
            title: string;
            /**
             * @description Detail of the problem.
             * @example The payout needs IDR 10,000.00; IDR 0.00 are available.
             */
            detail: string;
        };
        PreviewedApprovalDto: {
            /**
             * Format: int32
             * @description Number of operators who must approve the payout before it is sent to a bank.
             * @example 2
             */
            required: number;
            /**
             * Format: int32
             * @description Number of operators who have approved it.
             * @example 1
             */
            given: number;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            approve_by: string | null;
        };
        PreviewedPayoutDto: {
            /**
             * Format: uuid
             * @description The merchant.
             * @example 0198c0de-7a5e-4c3a-9d2f-3f6f4a1b2c3d
             */
            merchant_id: string;
            /** @description Fee that the merchant pays, fixed at creation. */
            fee: components["schemas"]["PayoutFeeDto"];
            /**
             * Format: int64
             * @description Minor units: amount deducted from your balance.
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
             * @description Minor units: amount that the bank account receives.
             * @example 750000
             */
            net_amount: number;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description Name of the account holder.
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
             * @description REVERSED: the bank returned the payout; its net amount and fee are available again.
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
             * @description The bank_code of the request.
             * @example 014
             */
            bank_code: string | null;
            /**
             * @description Why the payout has not ended, at the time of reading. PENDING: approval (operators must approve it), no-rail (no rail is set for it yet), bank-unknown (set bank_code), beneficiary-differs (the account belongs to another name: the operator of the service accepts it, or you cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (inquiries to the bank continue), held (people are asking the bank). Null otherwise. Notifications and responses to POST contain approval only.
             * @example null
             * @enum {string|null}
             */
            pending_reason: "approval" | "no-rail" | "bank-unknown" | "beneficiary-differs" | "rail-paused" | "quiet-hours" | "rail-unavailable" | "awaiting-bank" | "waiting-rail" | "outcome-unknown" | "held" | null;
            /** @description The bank’s answer about the account; null until the bank was asked, and in notifications and responses to POST. */
            beneficiary: components["schemas"]["BeneficiaryDto"] | null;
            /**
             * Format: uuid
             * @description Always null.
             * @example null
             */
            id: string | null;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            created_on: string | null;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            updated_on: string | null;
            /** @description Absent if the payout needs no approval. */
            approval?: components["schemas"]["PreviewedApprovalDto"];
        };
        PayoutPreviewDto: {
            /**
             * @description Whether the request would succeed now.
             * @example true
             */
            would_succeed: boolean;
            /**
             * @description Why the request would be refused; null if it would succeed.
             * @example null
             */
            refusal: components["schemas"]["RefusalDto"] | null;
            /**
             * Format: int64
             * @description Log position of the last event included.
             * @example 4711
             */
            position: number;
            /** @description The balance after the request; null if it would be refused. */
            balance_after: components["schemas"]["BalanceThenDto"] | null;
            /** @description Settlements and adjustments that would fund it, oldest first, at most 100; empty if it takes no available money. */
            funded_from: components["schemas"]["FundingDto"][];
            /**
             * Format: int32
             * @description Number of operators who would have to approve it.
             * @example 0
             */
            approvals_required: number;
            /**
             * @description Why it would wait. PENDING: approval (operators must approve it), no-rail (no rail is set for it yet), bank-unknown (set bank_code), beneficiary-differs (the account belongs to another name: the operator of the service accepts it, or you cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (inquiries to the bank continue), held (people are asking the bank). Null otherwise.
             * @example null
             * @enum {string|null}
             */
            pending_reason: "approval" | "no-rail" | "bank-unknown" | "beneficiary-differs" | "rail-paused" | "quiet-hours" | "rail-unavailable" | "awaiting-bank" | "waiting-rail" | "outcome-unknown" | "held" | null;
            /**
             * Format: date
             * @description If the available balance is too low: the first day of the forecast whose closing balance covers the request; null if there is none.
             * @example null
             */
            earliest_on: string | null;
            /** @description The payout; null if the request would be refused. */
            payout: components["schemas"]["PreviewedPayoutDto"] | null;
        };
        PreviewedChargeDto: {
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
             * @description ISO 4217 currency code.
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
             * @description How the customer is taken to the payment.
             * @example PAYLOAD
             * @enum {string}
             */
            action_flow: "PAYLOAD" | "REDIRECTION" | "EMBEDDED";
            /**
             * @description Current status.
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
             * @description Your own key-value pairs; values are strings.
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
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: uri
             * @description The return_url of the request; absent if the request had none.
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
            /** @description Fee that the merchant pays, fixed at creation. */
            fee: components["schemas"]["FeeDto"];
            /**
             * @description Payment processor that takes the payment.
             * @example SIMULATOR
             */
            processor: string;
            /**
             * @description Banking days from payment until the money is available.
             * @example T+2
             */
            settlement_cycle: string;
            /**
             * Format: uuid
             * @description Always null.
             * @example null
             */
            id: string | null;
            /**
             * @description Always null.
             * @example null
             */
            code: string | null;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            created_on: string | null;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            updated_on: string | null;
        };
        ChargePreviewDto: {
            /**
             * @description Whether the request would succeed now.
             * @example true
             */
            would_succeed: boolean;
            /**
             * @description Why the request would be refused; null if it would succeed.
             * @example null
             */
            refusal: components["schemas"]["RefusalDto"] | null;
            /**
             * Format: int64
             * @description Log position of the last event included.
             * @example 4711
             */
            position: number;
            /** @description The balance after the request; null if it would be refused. */
            balance_after: components["schemas"]["BalanceThenDto"] | null;
            /** @description Settlements and adjustments that would fund it, oldest first, at most 100; empty if it takes no available money. */
            funded_from: components["schemas"]["FundingDto"][];
            /**
             * Format: int32
             * @description Number of operators who would have to approve it.
             * @example 0
             */
            approvals_required: number;
            /**
             * @description Why it would wait. PENDING: approval (operators must approve it), no-rail (no rail is set for it yet), bank-unknown (set bank_code), beneficiary-differs (the account belongs to another name: the operator of the service accepts it, or you cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (inquiries to the bank continue), held (people are asking the bank). Null otherwise.
             * @example null
             * @enum {string|null}
             */
            pending_reason: "approval" | "no-rail" | "bank-unknown" | "beneficiary-differs" | "rail-paused" | "quiet-hours" | "rail-unavailable" | "awaiting-bank" | "waiting-rail" | "outcome-unknown" | "held" | null;
            /**
             * Format: date
             * @description If the available balance is too low: the first day of the forecast whose closing balance covers the request; null if there is none.
             * @example null
             */
            earliest_on: string | null;
            /** @description The charge; null if the request would be refused. */
            charge: components["schemas"]["PreviewedChargeDto"] | null;
        };
        PreviewedRefundDto: {
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
             * @description Minor units: amount that the customer receives.
             * @example 4000
             */
            amount: number;
            /**
             * Format: int64
             * @description Minor units: part of the fee that is returned to you.
             * @example 28
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Minor units: amount deducted from your balance, amount − fee_amount.
             * @example 3972
             */
            net_amount: number;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description Balance that the money is deducted from: AVAILABLE once the charge is in a settlement.
             * @example PENDING
             * @enum {string}
             */
            source: "PENDING" | "AVAILABLE";
            /**
             * @description Status of the refund.
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
             * @description The processor’s reason, in its own words.
             * @example null
             */
            processor_reason: string | null;
            /**
             * @description Explanation for people.
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
             * @description Your own key-value pairs; values are strings.
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
             * @description When it succeeded; null until it does.
             * @example null
             */
            succeeded_on: string | null;
            /**
             * Format: date-time
             * @description When it failed; null if it did not.
             * @example null
             */
            failed_on: string | null;
            /**
             * Format: date-time
             * @description When it was cancelled; null if it was not.
             * @example null
             */
            cancelled_on: string | null;
            /**
             * @description Id of the key that acted, or System.
             * @example key_5f3b8c1d
             */
            created_by: string;
            /**
             * @description Id of the key that acted, or System.
             * @example System
             */
            updated_by: string;
            /**
             * Format: uuid
             * @description Always null.
             * @example null
             */
            id: string | null;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            created_on: string | null;
            /**
             * Format: date-time
             * @description Always null.
             * @example null
             */
            updated_on: string | null;
        };
        RefundPreviewDto: {
            /**
             * @description Whether the request would succeed now.
             * @example true
             */
            would_succeed: boolean;
            /**
             * @description Why the request would be refused; null if it would succeed.
             * @example null
             */
            refusal: components["schemas"]["RefusalDto"] | null;
            /**
             * Format: int64
             * @description Log position of the last event included.
             * @example 4711
             */
            position: number;
            /** @description The balance after the request; null if it would be refused. */
            balance_after: components["schemas"]["BalanceThenDto"] | null;
            /** @description Settlements and adjustments that would fund it, oldest first, at most 100; empty if it takes no available money. */
            funded_from: components["schemas"]["FundingDto"][];
            /**
             * Format: int32
             * @description Number of operators who would have to approve it.
             * @example 0
             */
            approvals_required: number;
            /**
             * @description Why it would wait. PENDING: approval (operators must approve it), no-rail (no rail is set for it yet), bank-unknown (set bank_code), beneficiary-differs (the account belongs to another name: the operator of the service accepts it, or you cancel it), rail-paused, quiet-hours, rail-unavailable. PROCESSING: awaiting-bank, waiting-rail, outcome-unknown (inquiries to the bank continue), held (people are asking the bank). Null otherwise.
             * @example null
             * @enum {string|null}
             */
            pending_reason: "approval" | "no-rail" | "bank-unknown" | "beneficiary-differs" | "rail-paused" | "quiet-hours" | "rail-unavailable" | "awaiting-bank" | "waiting-rail" | "outcome-unknown" | "held" | null;
            /**
             * Format: date
             * @description If the available balance is too low: the first day of the forecast whose closing balance covers the request; null if there is none.
             * @example null
             */
            earliest_on: string | null;
            /** @description The refund; null if the request would be refused. */
            refund: components["schemas"]["PreviewedRefundDto"] | null;
        };
        EvidenceDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description null if the name was erased, and for finance, which cannot see file names.
             * @example receipt.pdf
             */
            name: string | null;
            /**
             * @description Category of the evidence.
             * @example RECEIPT
             * @enum {string}
             */
            category: "RECEIPT" | "SHIPPING" | "COMMUNICATION" | "REFUND" | "OTHER";
            /**
             * @description Media type as it was sent; the file is returned with it.
             * @example application/pdf
             * @enum {string}
             */
            media_type: "application/pdf" | "image/png" | "image/jpeg" | "text/plain";
            /**
             * Format: int64
             * @description Size in bytes.
             * @example 48213
             */
            size: number;
            /**
             * @description SHA-256 of the bytes, hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            sha256: string;
            /**
             * @description Id of the key that added it.
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
             * @description Whether the bytes and the name were erased.
             * @example false
             */
            erased: boolean;
        };
        DisputeDto: {
            /**
             * Format: uuid
             * @description Id of the record.
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
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * @description The processor’s own reference.
             * @example DSP-000041
             */
            reference: string;
            /**
             * @description Stage of the dispute. An INQUIRY holds no money.
             * @example INQUIRY
             * @enum {string}
             */
            stage: "INQUIRY" | "CHARGEBACK" | "PRE_ARBITRATION" | "ARBITRATION";
            /**
             * @description Status of the dispute.
             * @example INQUIRY
             * @enum {string}
             */
            dispute_status: "INQUIRY" | "ACTION_REQUIRED" | "UNDER_REVIEW" | "WON" | "LOST";
            /**
             * Format: int64
             * @description Minor units: disputed amount.
             * @example 10000
             */
            amount: number;
            /**
             * Format: int64
             * @description Minor units: amount held while the dispute is open, and deducted once it is lost.
             * @example 10000
             */
            held_amount: number;
            /**
             * Format: int64
             * @description Minor units: part of the disputed amount that exceeded the rest of the charge. It is not deducted.
             * @example 0
             */
            excess_amount: number;
            /**
             * Format: int64
             * @description Minor units: amount of succeeded and unfinished refunds when the dispute was opened.
             * @example 0
             */
            refunded_amount: number;
            /**
             * Format: int64
             * @description Minor units: fee that you pay if the dispute is lost.
             * @example 0
             */
            fee_amount: number;
            /**
             * @description The processor’s own reason code.
             * @example 13.1
             */
            reason_code: string;
            /**
             * @description The processor’s reason, in its own words.
             * @example The goods were not received.
             */
            reason: string;
            /**
             * Format: date-time
             * @description Deadline for your answer.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            due_by: string;
            /**
             * @description The dispute is won and cannot be reopened.
             * @example false
             */
            is_final: boolean;
            /**
             * @description ACCEPTED: you accepted it. LAPSED: you did not answer in time. DECIDED: the processor decided.
             * @example null
             * @enum {string|null}
             */
            lost_reason: "ACCEPTED" | "LAPSED" | "DECIDED" | null;
            /** @description The evidence that you have added, in the order in which you added it. */
            evidence: components["schemas"]["EvidenceDto"][];
            /**
             * Format: date-time
             * @description When it was opened.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            opened_on: string;
            /**
             * Format: date-time
             * @description When you challenged it at this stage; null until you do.
             * @example null
             */
            challenged_on: string | null;
            /**
             * Format: date-time
             * @description When the processor received your challenge.
             * @example null
             */
            submitted_on: string | null;
            /**
             * Format: date-time
             * @description When it was won; null if it was not.
             * @example null
             */
            won_on: string | null;
            /**
             * Format: date-time
             * @description When it was lost; null if it was not.
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
             * Format: int64
             * @description Minor units, exact at any size: amount that the settlement adds to available; negative if reversals outweigh the rest.
             * @example 9930
             */
            net_amount: number;
            /**
             * Format: int64
             * @description Number of charges.
             * @example 1
             */
            charges: number;
            /**
             * Format: int64
             * @description Number of payments that were reversed.
             * @example 0
             */
            reversals: number;
            /**
             * Format: int64
             * @description Number of payouts that banks returned.
             * @example 0
             */
            returns: number;
            /**
             * Format: int64
             * @description Number of refunds that failed and whose money comes back.
             * @example 0
             */
            refunds: number;
            /**
             * Format: int64
             * @description Number of holds, releases and fees of disputes.
             * @example 0
             */
            disputes: number;
        };
        SettlementDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description 1, 2, 3 … per merchant and currency, without gaps.
             * @example 1
             */
            number: number;
            /** @description Totals of this object. */
            totals: components["schemas"]["SettlementTotalsDto"];
            /**
             * Format: date-time
             * @description When it was opened.
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
             * @description Kind of this object.
             * @example CHARGE
             * @enum {string}
             */
            kind: "CHARGE" | "REVERSAL" | "RETURN" | "REFUND_RETURN" | "DISPUTE_HOLD" | "DISPUTE_RELEASE" | "DISPUTE_FEE";
            /**
             * Format: uuid
             * @description Id of the charge; set on every line except a return.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id?: string;
            /**
             * Format: uuid
             * @description Id of the payout; set on a return.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            payout_id?: string;
            /**
             * Format: uuid
             * @description Id of the refund; set on a refund that failed.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            refund_id?: string;
            /**
             * Format: uuid
             * @description Id of the dispute; set on lines of disputes.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            dispute_id?: string;
            /**
             * Format: int64
             * @description Minor units: amount that the line adds to available; negative for a reversal, a hold and a fee of a dispute. The lines add up to totals.net_amount.
             * @example 9930
             */
            net_amount: number;
        };
        SettlementDetailDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * Format: int64
             * @description 1, 2, 3 … per merchant and currency, without gaps.
             * @example 1
             */
            number: number;
            /** @description Totals of this object. */
            totals: components["schemas"]["SettlementTotalsDto"];
            /**
             * Format: date-time
             * @description When it was opened.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            opened_on: string;
            /**
             * Format: date-time
             * @description null while its lines are being claimed.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            closed_on: string | null;
            /** @description The lines that make up this object. */
            lines: components["schemas"]["SettlementLineDto"][];
        };
        SimulationBody: {
            /**
             * @description Outcome for the charge, or for a refund or dispute of it; case-insensitive.
             * @example SUCCEED
             * @enum {string}
             */
            outcome: "SUCCEED" | "FAIL" | "EXPIRE" | "SETTLE" | "REVERSE" | "REFUND-SUCCEED" | "REFUND-FAIL" | "REFUND-BOUNCE" | "DISPUTE-OPEN" | "DISPUTE-REOPEN" | "DISPUTE-WIN" | "DISPUTE-LOSE";
            /**
             * @description Reason of the failure or the dispute; with `fail` and `dispute-open` only.
             * @example Insufficient balance
             */
            reason?: string | null;
            /**
             * Format: uuid
             * @description Id of the refund; with `refund-…` only. Default: the newest refund of the charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            refund_id?: string | null;
            /**
             * Format: uuid
             * @description Id of the dispute; with `dispute-reopen`, `dispute-win` and `dispute-lose` only. Default: the newest dispute of the charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            dispute_id?: string | null;
            /**
             * @description Default: `CHARGEBACK`. This and the next three with `dispute-open` only.
             * @example CHARGEBACK
             * @enum {string|null}
             */
            stage?: "INQUIRY" | "CHARGEBACK" | "PRE_ARBITRATION" | "ARBITRATION" | null;
            /**
             * Format: int64
             * @description Disputed amount in minor units; may exceed the charge. Default: the amount of the charge.
             * @example 10000
             */
            amount?: number | null;
            /**
             * Format: int32
             * @description Seconds until the merchant’s answer is due. Default: 604800, a week.
             * @example 604800
             */
            due_in_seconds?: number | null;
            /**
             * @description The processor’s name for the dispute: opening it again at a later stage reopens it. Default: a new one.
             * @example SIM-4F9A1C02B7D3
             */
            reference?: string | null;
            /**
             * @description No later stage follows; with `dispute-win` only. Default: false.
             * @example false
             */
            final?: boolean | null;
        };
        SimulatedRefundDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Status of the refund.
             * @example SUCCEEDED
             * @enum {string}
             */
            refund_status: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
        };
        SimulatedDisputeDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Status of the dispute.
             * @example ACTION_REQUIRED
             * @enum {string}
             */
            dispute_status: "INQUIRY" | "ACTION_REQUIRED" | "UNDER_REVIEW" | "WON" | "LOST";
        };
        SimulatedChargeDto: {
            /**
             * @description Current status.
             * @example SUCCEEDED
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
            /**
             * @description Settlement status of the charge.
             * @example PENDING
             * @enum {string}
             */
            settlement_status: "UNKNOWN" | "PENDING" | "PROCESSING" | "SETTLED" | "REVERSED";
            /** @description Set after an outcome of a refund. */
            refund?: components["schemas"]["SimulatedRefundDto"];
            /** @description Set after an outcome of a dispute. */
            dispute?: components["schemas"]["SimulatedDisputeDto"];
        };
        SetWebHookBody: {
            /**
             * Format: uri
             * @description Address that receives the events: an absolute https URI on the public internet, without credentials. It is returned in its normalized form, which is the address that is called.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description Key that signs deliveries: whsec_ and base64 of 24 to 64 bytes, or any text. After a change, the previous key also signs for 24 hours.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            signature_key: string;
            /**
             * @description Event kinds to send; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events?: ("charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost")[] | null;
        };
        WebHookSetDto: {
            /**
             * Format: uri
             * @description Address that receives the events.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description Event kinds that are sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events: ("charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost")[];
            /**
             * @description Last characters of the signature key.
             * @example …LaSw
             */
            key_hint: string;
            /**
             * @description DISABLED: no events are sent until the web-hook is set again.
             * @example ENABLED
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description GONE: the receiver returned 410. EXHAUSTED: the receiver accepted nothing for three days.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "GONE" | "EXHAUSTED" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is enabled.
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
             * @description The signing bytes in the form that Standard Webhooks libraries take. Returned this once.
             * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
             */
            verification_secret: string;
        };
        WebHookSettingsDto: {
            /**
             * Format: uri
             * @description Address that receives the events.
             * @example https://shop.example.com/hooks
             */
            web_hook_uri: string;
            /**
             * @description Event kinds that are sent; an empty array means all.
             * @example [
             *       "charge.succeeded"
             *     ]
             */
            events: ("charge.created" | "charge.succeeded" | "charge.failed" | "charge.expired" | "charge.cancelled" | "charge.settled" | "charge.reversed" | "payout.created" | "payout.processing" | "payout.succeeded" | "payout.failed" | "payout.cancelled" | "payout.reversed" | "customer.created" | "customer.updated" | "customer.deleted" | "balance.updated" | "refund.created" | "refund.processing" | "refund.succeeded" | "refund.failed" | "refund.cancelled" | "dispute.opened" | "dispute.reopened" | "dispute.due_soon" | "dispute.under_review" | "dispute.won" | "dispute.lost")[];
            /**
             * @description Last characters of the signature key.
             * @example …LaSw
             */
            key_hint: string;
            /**
             * @description DISABLED: no events are sent until the web-hook is set again.
             * @example ENABLED
             * @enum {string}
             */
            status: "ENABLED" | "DISABLED";
            /**
             * @description GONE: the receiver returned 410. EXHAUSTED: the receiver accepted nothing for three days.
             * @example null
             * @enum {string|null}
             */
            disabled_reason: "GONE" | "EXHAUSTED" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is enabled.
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
             * @description When the attempt was sent.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            attempted_on: string;
            /**
             * @description Current status.
             * @example SUCCEEDED
             * @enum {string}
             */
            status: "SUCCEEDED" | "FAILED";
            /**
             * Format: int32
             * @description HTTP status of the response; null without a response.
             * @example 204
             */
            response_code: number | null;
            /**
             * Format: int32
             * @description Milliseconds until the response began or the attempt failed.
             * @example 41
             */
            latency_ms: number;
            /**
             * @description Reason why there was no response.
             * @example null
             */
            error: string | null;
        };
        DeliveryDto: {
            /**
             * Format: uuid
             * @description Id of the record.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * Format: uuid
             * @description Value of the header webhook-id, and id of the event.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            webhook_id: string;
            /**
             * @description Type of this object.
             * @example charge.succeeded
             */
            type: string;
            /**
             * Format: int64
             * @description null for a test.
             * @example 42
             */
            sequence: number | null;
            /**
             * @description CANCELLED: before the delivery the web-hook was deleted or disabled, or its event was lost with a restore.
             * @example PENDING
             * @enum {string}
             */
            status: "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
            /**
             * Format: int32
             * @description HTTP status of the last attempt.
             * @example 204
             */
            response_code: number | null;
            /**
             * Format: int32
             * @description Milliseconds of the last attempt.
             * @example 41
             */
            latency_ms: number | null;
            /**
             * Format: int32
             * @description Total number of attempts.
             * @example 1
             */
            total_attempts: number;
            /** @description The last 50, oldest first. */
            attempts: components["schemas"]["DeliveryAttemptDto"][];
            /**
             * Format: date-time
             * @description When the next attempt is due; null when the delivery has ended.
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
             * @description Equal to the header webhook-id of its deliveries.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            id: string;
            /**
             * @description Type of this object.
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
             * @description Deliveries only: sequence of the previous event among the kinds that are sent.
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
        RemittanceLineDto: {
            /**
             * @description Kind of this object.
             * @example CHARGE
             * @enum {string}
             */
            kind: "CHARGE" | "REVERSAL" | "RETURN" | "REFUND_RETURN" | "DISPUTE_HOLD" | "DISPUTE_RELEASE" | "DISPUTE_FEE" | "ADJUSTMENT";
            /**
             * Format: uuid
             * @description Id of the charge, payout returned by a bank, refund, dispute, hold of a dispute or adjustment.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            record_id: string;
            /**
             * Format: uuid
             * @description null for a return, and for an adjustment that concerns no charge.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            charge_id: string | null;
            /**
             * @description Code of the charge.
             * @example C0FFEE12
             */
            code: string | null;
            /**
             * @description The merchant’s own reference of the charge.
             * @example order-1
             */
            reference_id: string | null;
            /**
             * Format: int64
             * @description Minor units; negative for money that is taken back.
             * @example 10000
             */
            gross_amount: number;
            /**
             * Format: int64
             * @description Fee included in gross_amount; negative for a fee that is returned.
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
             * @description null for an adjustment.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            settlement_id: string | null;
            /**
             * Format: int64
             * @description null for an adjustment.
             * @example 1
             */
            settlement_number: number | null;
            /**
             * Format: uuid
             * @description Id of the adjustment; absent for a settlement.
             * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
             */
            adjustment_id?: string;
            /**
             * Format: date-time
             * @description When the account was credited.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            settled_on: string;
            /**
             * Format: int64
             * @description Net amount of the settlement or adjustment; its lines add up to it.
             * @example 9930
             */
            net_amount: number;
            /**
             * Format: int64
             * @description Amount used by earlier payouts and refunds.
             * @example 0
             */
            used_before: number;
            /**
             * Format: int64
             * @description Amount used by this payout.
             * @example 5000
             */
            used_here: number;
            /**
             * Format: int64
             * @description Amount left for later payouts and refunds.
             * @example 4930
             */
            left: number;
            /** @description The lines that make up this object. */
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
             * @description ISO 4217 currency code.
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
             * @description Fee included in amount.
             * @example 500
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Amount sent to the bank.
             * @example 4500
             */
            net_amount: number;
            /**
             * @description The merchant’s own reference.
             * @example payout-1
             */
            reference_id: string | null;
            /**
             * Format: date-time
             * @description When the merchant requested the payout.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            requested_on: string;
            /**
             * Format: date-time
             * @description When it succeeded; null until it does.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            succeeded_on: string;
            /**
             * Format: int64
             * @description Log position of the PayoutSucceeded event. Money that was settled later did not fund the payout.
             * @example 4711
             */
            position: number;
            /**
             * Format: int64
             * @description Part of the amount that no settlement covered when the payout was paid; 0 unless the balance was negative.
             * @example 0
             */
            not_covered: number;
            /** @description Oldest first. Their used_here and not_covered add up to amount. */
            settlements: components["schemas"]["RemittanceSettlementDto"][];
        };
        RemittanceAdviceDto: {
            /** @description Serialized as in RFC 8785; a number beyond 2^53 − 1 is a string of its digits. */
            document: components["schemas"]["RemittanceDocumentDto"];
            /**
             * @description SHA-256 of the document, hex.
             * @example a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3a3
             */
            digest: string;
            /**
             * @description Ed25519 (RFC 8032) public key, 32 bytes, hex. Compare it with the key that the operator of the service has given you.
             * @example 1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f
             */
            public_key: string;
            /**
             * @description Signature over "chargebook remittance advice 1", digest and position, each followed by a line feed; base64.
             * @example AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==
             */
            signature: string;
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
             * @description Minor units: funds available for payouts.
             * @example 0
             */
            available_amount: number;
            /**
             * Format: int64
             * @description Minor units: funds held for payouts that have not ended.
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
             * @description Fees up to this moment.
             * @example 70
             */
            fee_amount: number;
            /**
             * Format: int64
             * @description Log position of the event.
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
             * @description Kind of this object.
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
             * @description Id of the refund; charge_id is set too.
             * @example null
             */
            refund_id: string | null;
            /**
             * Format: uuid
             * @description Id of the dispute; charge_id is set too.
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
             * Format: int64
             * @description Number of the settlement, counted per merchant and currency.
             * @example null
             */
            settlement_number: number | null;
            /**
             * @description Code of the charge.
             * @example CHG_0123456789ABCDEF
             */
            code: string | null;
            /**
             * @description The merchant’s own reference of the charge or payout.
             * @example order-1001
             */
            reference_id: string | null;
            /**
             * Format: int64
             * @description Change by the movement, minor units. The amounts beside it are the balance after the movement.
             * @example 9930
             */
            pending_change: number;
            /**
             * Format: int64
             * @description Change of the available balance, minor units.
             * @example 0
             */
            available_change: number;
            /**
             * Format: int64
             * @description Change of the reserved balance, minor units.
             * @example 0
             */
            reserved_change: number;
            /**
             * Format: int64
             * @description Change of the fees, minor units.
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
             * @description ISO 4217 currency code.
             * @example IDR
             */
            currency: string;
            /**
             * Format: date-time
             * @description Start of the statement; null starts at the first movement.
             * @example 2026-01-01T00:00:00.000+00:00
             */
            from: string | null;
            /**
             * Format: date-time
             * @description End of the statement.
             * @example 2026-01-31T08:15:30.123+00:00
             */
            to: string;
            /** @description Balance before the first movement of the whole statement, on every page. */
            opening_balance: components["schemas"]["BalanceThenDto"];
            /** @description Balance after the last movement of the whole statement, on every page. */
            closing_balance: components["schemas"]["BalanceThenDto"];
            /** @description Movements in the order of booking. */
            items: components["schemas"]["MovementDto"][];
            /**
             * Format: int64
             * @description After for the next page; null at the end.
             * @example null
             */
            next_after: number | null;
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
             * Format: int32
             * @description The HTTP status.
             * @example 404
             */
            status: number;
            /**
             * @description The cause of this refusal, for people; the text may change.
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
            code: "validation-failed" | "malformed-json" | "malformed-request" | "idempotency-key-missing" | "idempotency-key-malformed" | "unauthenticated" | "insufficient-scope" | "not-found" | "method-not-allowed" | "not-in-the-past" | "read-only-moment" | "request-timeout" | "precondition-failed" | "body-too-large" | "unsupported-media-type" | "idempotency-key-reused" | "rate-limited" | "headers-too-large" | "internal-error" | "record-busy" | "unavailable" | "insufficient-role" | "own-proposal" | "state-conflict" | "moment-not-open" | "too-many-moments" | "month-open" | "digest-mismatch" | "insufficient-balance" | "refund-not-available" | "refund-exceeds-charge" | "charge-disputed" | "evidence-missing" | "evidence-limit-reached" | "amount-out-of-range" | "channel-not-available" | "currency-mismatch" | "action-flow-not-supported" | "record-full" | "statement-refused";
            /**
             * @description Include it when you contact support.
             * @example req_4bf92f3577b34da6a3ce929d0e0e4736
             */
            request_id: string;
            /**
             * @description All invalid fields and parameters.
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
             * @description statement-refused only: the error in the file, for programs.
             * @example gap
             */
            reason?: string;
            /**
             * Format: int64
             * @description statement-refused only: line of the file, from 1; null if the problem concerns no line.
             * @example 12
             */
            line?: number | null;
            /**
             * @description statement-refused only: the expected content.
             * @example an opening balance of 110.00 IDR
             */
            expected?: string;
            /**
             * @description statement-refused only: the content of the file.
             * @example 999.00
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
        /** @description `insufficient-scope`: The key lacks the permission. */
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
        /** @description `internal-error`: The service failed. */
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
        /** @description `unavailable`: The service is unavailable. */
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
        /** @description `unsupported-media-type`: The media type of the body is not supported. */
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
        /** @description `state-conflict`: The state of the record does not allow this. */
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
        /** @description `record-full`: The record has reached the limit of changes. */
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
        /** @description `evidence-limit-reached`: The dispute has reached the limit of evidence. */
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
         * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
         * @example 1z141z4
         */
        "Min-Ledger-Position": string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description On every response. Include it when you contact support.
         * @example req_4bf92f3577b34da6a3ce929d0e0e4736
         */
        "Request-Id": string;
        /**
         * @description Requests that are accepted at once (q), and the seconds until all of them are available again (w).
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
         * @description Path of the record, from the root of the host.
         * @example /v1/charges/0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
         */
        Location: string;
        /**
         * @description true when the Idempotency-Key was used before, and this is the first response again.
         * @example true
         */
        "Idempotent-Replayed": string;
        /**
         * @description Position of the write; opaque. A read that sends it as Min-Ledger-Position sees the write. With 503: it is recorded, and cannot be read yet.
         * @example 1z141z4
         */
        "Ledger-Position": string;
        /**
         * @description Seconds by which the data may be behind the log; absent when it is current. A 404 with this header may concern a record that was just created.
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Returns this currency only; ISO 4217, case-insensitive. */
                Currency?: string;
                /** @description Created at or after this moment. */
                DateFrom?: string;
                /** @description Created at or before this moment. */
                DateTo?: string;
                /** @description Returns the record with this id only. */
                Id?: string;
                /**
                 * @description Returns this payment channel only; case-insensitive.
                 * @example QR_QRIS
                 */
                ChannelCode?: "QR_QRIS" | "BANK_REDIRECT_FPX" | "QR_PAYNOW" | "WALLET_OVO" | "WALLET_DANA" | "WALLET_SHOPEEPAY" | "WALLET_TNG" | "WALLET_GRABPAY" | "WALLET_GRABPAY_SG";
                /**
                 * @description Returns records with this status only; case-insensitive.
                 * @example PENDING
                 */
                Status?: "PENDING" | "SUCCEEDED" | "FAILED" | "EXPIRED" | "CANCELLED";
                /**
                 * @description Text contained in code, reference_id or description; case-insensitive, without wildcards.
                 * @example order-1001
                 */
                SearchText?: string;
                /**
                 * @description Field that the list is ordered by. Ties are ordered by id.
                 * @example CREATED_ON
                 */
                OrderBy?: "CREATED_ON" | "AMOUNT" | "STATUS";
                /**
                 * @description Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                /** @description A new value for each record; the same value when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
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
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
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
            /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. `amount-out-of-range`: The amount is out of range. `channel-not-available`: The payment channel is not available. `currency-mismatch`: The currency does not match. `action-flow-not-supported`: The payment channel does not offer this flow. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description Newest first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                /** @description A new value for each record; the same value when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
                "Idempotency-Key": string;
            };
            path: {
                /**
                 * @description Id of the record.
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
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
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
            /** @description `state-conflict`: The state of the record does not allow this. `charge-disputed`: The charge has an open dispute. */
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
            /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. `refund-not-available`: The charge cannot be refunded. `refund-exceeds-charge`: The refund exceeds the rest of the charge. `insufficient-balance`: The available balance is too low. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description Newest first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
                /** @description Returns this currency only; ISO 4217, case-insensitive. */
                Currency?: string;
                /**
                 * @description Returns records with this status only; case-insensitive.
                 * @example PENDING
                 */
                Status?: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
                /** @description Returns records of this charge only. */
                ChargeId?: string;
                /** @description Created at or after this moment. */
                DateFrom?: string;
                /** @description Created at or before this moment. */
                DateTo?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                /** @description ETag of the record. Returns 304 while the record has that version. */
                "If-None-Match"?: string;
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                     * @description Version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundDto"];
                };
            };
            /** @description The record still has the version that If-None-Match names. The response has no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description Version of the record.
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description Newest first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                     * @description Version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                /** @description A new value for each record; the same value when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
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
                     * @description Version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"];
                };
            };
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                /** @description Id of the customer. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                /** @description ETag of the record. Returns 304 while the record has that version. */
                "If-None-Match"?: string;
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                     * @description Version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerDto"];
                };
            };
            /** @description The record still has the version that If-None-Match names. The response has no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description Version of the record.
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
    listBankingDays: {
        parameters: {
            query?: {
                /** @description First day. Default: today in the merchant’s time zone. */
                From?: string;
                /** @description Last day; at most 366 days from From on. Default: 30 days from From on. */
                To?: string;
                /** @description Country of the payment channels. Default: the merchant’s country. */
                Country?: "ID" | "MY" | "SG";
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                    "application/json": components["schemas"]["BankingDayDto"][];
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
                /** @description Returns the balance as of this moment (inclusive), by the time of booking. Must not be in the future. */
                AsOf?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                /** @description Returns the balance as of this moment (inclusive), by the time of booking. Must not be in the future. */
                AsOf?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description ISO 4217 currency code.
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
                /** @description Returns this bucket only. Required with After. */
                Bucket?: "PENDING" | "AVAILABLE" | "RESERVED" | "FEES" | "PAYOUTS" | "REFUNDS" | "ADJUSTMENTS";
                /** @description next_after of the previous page, with its Bucket. */
                After?: string;
                /**
                 * @description Maximum number of items per bucket.
                 * @example 20
                 */
                Limit?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description ISO 4217 currency code.
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
    forecastBalance: {
        parameters: {
            query?: {
                /** @description Number of days, today included. */
                Days?: number;
                /** @description One of these days, whose lines are returned too. */
                Detail?: string;
                /** @description next_after of the previous page of lines, with its Detail. */
                After?: string;
                /**
                 * @description Maximum number of lines per page.
                 * @example 20
                 */
                Limit?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description ISO 4217 currency code.
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
                    "application/json": components["schemas"]["ForecastDto"];
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Returns this currency only; ISO 4217, case-insensitive. */
                Currency?: string;
                /**
                 * @description Newest booking first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Returns this currency only; ISO 4217, case-insensitive. */
                Currency?: string;
                /**
                 * @description Returns records with this status only; case-insensitive.
                 * @example PENDING
                 */
                Status?: "PENDING" | "PROCESSING" | "SUCCEEDED" | "FAILED" | "CANCELLED" | "REVERSED";
                /** @description Created at or after this moment. */
                DateFrom?: string;
                /** @description Created at or before this moment. */
                DateTo?: string;
                /**
                 * @description Newest first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                /** @description A new value for each record; the same value when the request is repeated. 1 to 255 printable ASCII characters, bare or as a quoted string. */
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
            /** @description `idempotency-key-missing`: The Idempotency-Key header is missing. `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. `idempotency-key-malformed`: The Idempotency-Key header is malformed. */
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
            /** @description `idempotency-key-reused`: The Idempotency-Key belongs to another request. `amount-out-of-range`: The amount is out of range. `insufficient-balance`: The available balance is too low. `currency-mismatch`: The currency does not match. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
    listPayoutEvents: {
        parameters: {
            query?: {
                /**
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                    "application/json": components["schemas"]["PayoutEventDto"][];
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
    previewPayout: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
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
                    "application/json": components["schemas"]["PayoutPreviewDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. */
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
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
    previewCharge: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
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
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargePreviewDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. */
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
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
    previewRefund: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                    "application/json": components["schemas"]["RefundPreviewDto"];
                };
            };
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. */
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
            429: components["responses"]["rate-limited"];
            500: components["responses"]["internal-error"];
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /**
                 * @description Newest opened first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
                /** @description Returns this currency only; ISO 4217, case-insensitive. */
                Currency?: string;
                /**
                 * @description Returns records with this status only; case-insensitive.
                 * @example INQUIRY
                 */
                Status?: "INQUIRY" | "ACTION_REQUIRED" | "UNDER_REVIEW" | "WON" | "LOST";
                /** @description Returns records of this charge only. */
                ChargeId?: string;
                /** @description Opened at or after this moment. */
                DateFrom?: string;
                /** @description Opened at or before this moment. */
                DateTo?: string;
                /** @description Returns disputes that you can still answer and whose due_by is at or before this moment. */
                DueBefore?: string;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                /** @description ETag of the record. Returns 304 while the record has that version. */
                "If-None-Match"?: string;
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                     * @description Version of the record.
                     * @example "3"
                     */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeDto"];
                };
            };
            /** @description The record still has the version that If-None-Match names. The response has no body. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Ledger-Lag": components["headers"]["Ledger-Lag"];
                    /**
                     * @description Version of the record.
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                /** @description Name under which the file is shown and saved. */
                Name: string;
                /** @description Category of the evidence, case-insensitive. */
                Category: "RECEIPT" | "SHIPPING" | "COMMUNICATION" | "REFUND" | "OTHER";
            };
            header?: never;
            path: {
                /**
                 * @description Id of the record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        /** @description Bytes of the file, at most 5242880. */
        requestBody: {
            content: {
                "application/pdf": string;
                "image/png": string;
                "image/jpeg": string;
                "text/plain": string;
            };
        };
        responses: {
            /** @description The same bytes were added before. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
                /** @description Returns this currency only; ISO 4217, case-insensitive. */
                Currency?: string;
                /**
                 * @description Newest opened first. Reverses the whole order, ties included.
                 * @example true
                 */
                IsDescending?: boolean;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
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
                 * @description Last part of `simulation_url`.
                 * @example AZjA3npe
                 */
                token: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "SUCCEED"
                 *     }
                 */
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
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. */
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
            /** @description `state-conflict`: The state of the record does not allow this. */
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
            /** @description `unsupported-media-type`: The media type of the body is not supported. */
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
            /** @description `internal-error`: The service failed. */
            500: {
                headers: {
                    "Request-Id": components["headers"]["Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description `unavailable`: The service is unavailable. */
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
            /** @description `validation-failed`: The request is not valid. `malformed-json`: The body is not valid JSON. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Page number, from 1. A page past the end is empty.
                 * @example 1
                 */
                PageNumber?: number;
                /**
                 * @description Number of records per page.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                 * @description Id of the record.
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
            /** @description `record-busy`: The record kept changing. `unavailable`: The service is unavailable. */
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
                 * @description Returns events after this sequence: the last one that you have.
                 * @example 41
                 */
                After?: number;
                /**
                 * @description Returns this kind only.
                 * @example CHARGE.CREATED
                 */
                Type?: "CHARGE.CREATED" | "CHARGE.SUCCEEDED" | "CHARGE.FAILED" | "CHARGE.EXPIRED" | "CHARGE.CANCELLED" | "CHARGE.SETTLED" | "CHARGE.REVERSED" | "PAYOUT.CREATED" | "PAYOUT.PROCESSING" | "PAYOUT.SUCCEEDED" | "PAYOUT.FAILED" | "PAYOUT.CANCELLED" | "PAYOUT.REVERSED" | "CUSTOMER.CREATED" | "CUSTOMER.UPDATED" | "CUSTOMER.DELETED" | "BALANCE.UPDATED" | "REFUND.CREATED" | "REFUND.PROCESSING" | "REFUND.SUCCEEDED" | "REFUND.FAILED" | "REFUND.CANCELLED" | "DISPUTE.OPENED" | "DISPUTE.REOPENED" | "DISPUTE.DUE_SOON" | "DISPUTE.UNDER_REVIEW" | "DISPUTE.WON" | "DISPUTE.LOST";
                /**
                 * @description Maximum number of events.
                 * @example 10
                 */
                PageSize?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
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
                /** @description Includes movements booked at or after this moment. Default: from the first movement. */
                From?: string;
                /** @description Includes movements booked at or before this moment; must not be in the future. Default: now. */
                To?: string;
                /** @description Returns movements after this position: next_after of the previous page. */
                After?: number;
                /** @description Maximum number of movements per page; default 100. CSV and HTML contain all of them. */
                Limit?: number;
            };
            header?: {
                /**
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /** @description ISO 4217 currency code. */
                currency: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The format that Accept requests; JSON by default. */
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
                 * @description A Ledger-Position. The response waits until this position can be read, at most 5 seconds. A position beyond the end of the log is refused with 400.
                 * @example 1z141z4
                 */
                "Min-Ledger-Position"?: components["parameters"]["Min-Ledger-Position"];
            };
            path: {
                /**
                 * @description Id of the record.
                 * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The format that Accept requests; JSON by default. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.created
                     * @enum {string}
                     */
                    type: "charge.created";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.succeeded
                     * @enum {string}
                     */
                    type: "charge.succeeded";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.failed
                     * @enum {string}
                     */
                    type: "charge.failed";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.expired
                     * @enum {string}
                     */
                    type: "charge.expired";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.cancelled
                     * @enum {string}
                     */
                    type: "charge.cancelled";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.settled
                     * @enum {string}
                     */
                    type: "charge.settled";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example charge.reversed
                     * @enum {string}
                     */
                    type: "charge.reversed";
                    /** @description The recorded data. */
                    data: components["schemas"]["ChargeDetailDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.created
                     * @enum {string}
                     */
                    type: "payout.created";
                    /** @description The recorded data. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.processing
                     * @enum {string}
                     */
                    type: "payout.processing";
                    /** @description The recorded data. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.succeeded
                     * @enum {string}
                     */
                    type: "payout.succeeded";
                    /** @description The recorded data. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.failed
                     * @enum {string}
                     */
                    type: "payout.failed";
                    /** @description The recorded data. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.cancelled
                     * @enum {string}
                     */
                    type: "payout.cancelled";
                    /** @description The recorded data. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example payout.reversed
                     * @enum {string}
                     */
                    type: "payout.reversed";
                    /** @description The recorded data. */
                    data: components["schemas"]["PayoutDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example customer.created
                     * @enum {string}
                     */
                    type: "customer.created";
                    /** @description The recorded data. */
                    data: components["schemas"]["CustomerDto"] | {
                        /**
                         * Format: uuid
                         * @description Id of the deleted customer.
                         * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                         */
                        id: string;
                        /**
                         * @description The details of the customer are erased.
                         * @example true
                         * @enum {boolean}
                         */
                        deleted: true;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example customer.updated
                     * @enum {string}
                     */
                    type: "customer.updated";
                    /** @description The recorded data. */
                    data: components["schemas"]["CustomerDto"] | {
                        /**
                         * Format: uuid
                         * @description Id of the deleted customer.
                         * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                         */
                        id: string;
                        /**
                         * @description The details of the customer are erased.
                         * @example true
                         * @enum {boolean}
                         */
                        deleted: true;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example customer.deleted
                     * @enum {string}
                     */
                    type: "customer.deleted";
                    /** @description The recorded data. */
                    data: components["schemas"]["CustomerDto"] | {
                        /**
                         * Format: uuid
                         * @description Id of the deleted customer.
                         * @example 0198c0de-7a5e-5c3a-9d2f-3f6f4a1b2c3d
                         */
                        id: string;
                        /**
                         * @description The details of the customer are erased.
                         * @example true
                         * @enum {boolean}
                         */
                        deleted: true;
                    };
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example balance.updated
                     * @enum {string}
                     */
                    type: "balance.updated";
                    /** @description The recorded data. */
                    data: components["schemas"]["BalanceDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.created
                     * @enum {string}
                     */
                    type: "refund.created";
                    /** @description The recorded data. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.processing
                     * @enum {string}
                     */
                    type: "refund.processing";
                    /** @description The recorded data. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.succeeded
                     * @enum {string}
                     */
                    type: "refund.succeeded";
                    /** @description The recorded data. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.failed
                     * @enum {string}
                     */
                    type: "refund.failed";
                    /** @description The recorded data. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example refund.cancelled
                     * @enum {string}
                     */
                    type: "refund.cancelled";
                    /** @description The recorded data. */
                    data: components["schemas"]["RefundDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.opened
                     * @enum {string}
                     */
                    type: "dispute.opened";
                    /** @description The recorded data. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.reopened
                     * @enum {string}
                     */
                    type: "dispute.reopened";
                    /** @description The recorded data. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.due_soon
                     * @enum {string}
                     */
                    type: "dispute.due_soon";
                    /** @description The recorded data. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.under_review
                     * @enum {string}
                     */
                    type: "dispute.under_review";
                    /** @description The recorded data. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.won
                     * @enum {string}
                     */
                    type: "dispute.won";
                    /** @description The recorded data. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Sequence of the previous event among the kinds that are sent; null for the first.
                     * @example 41
                     */
                    previous_sequence: number | null;
                    /**
                     * @description The kind.
                     * @example dispute.lost
                     * @enum {string}
                     */
                    type: "dispute.lost";
                    /** @description The recorded data. */
                    data: components["schemas"]["DisputeDto"];
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
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
                 * @description Time of this attempt, in seconds since the epoch.
                 * @example 1769847330
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 HMAC-SHA256 of id, timestamp and body joined by dots. After a change of key, two signatures separated by a space.
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
                     * @description Equal to the header webhook-id.
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
                     * @description Always empty.
                     * @example {}
                     */
                    data: Record<string, never>;
                };
            };
        };
        responses: {
            /** @description The receiver is gone: the web-hook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. Any other status, including a redirect, is retried on the schedule of retries. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
