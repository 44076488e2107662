using Chargebook.Kiota.Merchants;
using Chargebook.Kiota.Merchants.Models;
using Microsoft.Kiota.Abstractions.Authentication;
using Microsoft.Kiota.Http.HttpClientLibrary;

internal static class KiotaTrade
{
    public static async Task<Seen> Make(HttpClient http, string url, long amount)
    {
        using var requests = new HttpClientRequestAdapter(new AnonymousAuthenticationProvider(), httpClient: http) { BaseUrl = url };
        var client = new MerchantsClient(requests);
        var merchant = await client.V1.Merchants.Me.GetAsync();
        var channels = await client.V1.Merchants.Me.Channels.GetAsync();
        var customer = await client.V1.Customers.PostAsync(new CreateCustomerBody { Name = "Sari Dewi" }, with => with.Headers.Add("Idempotency-Key", Key()));
        var second = await client.V1.Customers.PostAsync(
            new CreateCustomerBody { Name = "Budi", Address = new AddressBody { City = "Bandung", Country = "ID" } },
            with => with.Headers.Add("Idempotency-Key", Key()));

        var created = await client.V1.Charges.PostAsync(
            new CreateChargeBody
            {
                Amount = amount,
                Currency = "IDR",
                ChannelCode = CreateChargeBody_channel_code.QR_QRIS,
                ActionFlow = CreateChargeBody_action_flow.PAYLOAD,
                ReferenceId = "kiota-1",
                Metadata = new CreateChargeBody_metadata { AdditionalData = new Dictionary<string, object> { ["table"] = "7" } },
            },
            with => with.Headers.Add("Idempotency-Key", Key()));
        var token = new Uri(created!.Action!.SimulationUrl!).Segments[^1];
        await client.Simulate[token].PostAsync(new SimulationBody { Outcome = SimulationBody_outcome.SUCCEED });
        await client.Simulate[token].PostAsync(new SimulationBody { Outcome = SimulationBody_outcome.SETTLE });
        var charge = client.V1.Charges[created.Id.ToString()!];
        var paid = await charge.GetAsync();

        var refund = await charge.Refunds.PostAsync(
            new RequestRefundBody { Amount = 4_000, Reason = RequestRefundBody_reason.REQUESTED_BY_CUSTOMER },
            with => with.Headers.Add("Idempotency-Key", Key()));
        var refunded = await client.V1.Refunds[refund!.Id.ToString()!].GetAsync();
        var payout = await client.V1.Payouts.PostAsync(
            new RequestPayoutBody
            {
                Amount = amount / 2,
                Currency = "IDR",
                BankAccountName = "Toko Melati",
                BankAccountNumber = "1234560003",
                BankName = "Bank Central Asia",
            },
            with => with.Headers.Add("Idempotency-Key", Key()));
        var requested = await client.V1.Payouts[payout!.Id.ToString()!].GetAsync();
        var balance = await client.V1.Balances["IDR"].GetAsync();
        var settlements = await client.V1.Settlements.GetAsync(with => with.QueryParameters.Currency = "IDR");
        var charges = await client.V1.Charges.GetAsync(with =>
        {
            with.QueryParameters.Currency = "IDR";
            with.QueryParameters.PageSize = 100;
            with.QueryParameters.IsDescending = true;
        });
        return new Seen
        {
            Client = "Kiota",
            HasWebHook = merchant!.WebHook is not null,
            ChannelsWithoutRefund = channels!.Count(channel => channel.Refund is null),
            HasAddress = customer!.Address is not null,
            City = second!.Address!.City!,
            Paid = $"{paid!.Status} {paid.SettlementStatus}",
            Settled = settlements!.Single().Totals!.NetAmount!.Value,
            Refunded = $"{refunded!.RefundStatus} {refunded.Reason}",
            RefundedAmount = refunded.Amount!.Value,
            PayoutNet = requested!.NetAmount!.Value,
            PayoutStatus = $"{requested.PayoutStatus}",
            HasApproval = requested.Approval is not null || requested.Beneficiary is not null,
            Available = balance!.AvailableAmount!.Value,
            Lists =
            [
                charges!.TotalItemCount!.Value,
                (await client.V1.Refunds.GetAsync(with => with.QueryParameters.Currency = "IDR"))!.Count,
                (await client.V1.Payouts.GetAsync(with => with.QueryParameters.Currency = "IDR"))!.Count,
                settlements!.Count,
                (await client.V1.Customers.GetAsync())!.Count,
            ],
            Events = (await client.V1.Events.GetAsync(with => with.QueryParameters.PageSize = 100))!.Count(each => each.Type == EventDto_type.ChargeSettled && each.Sequence > 0),
            Refusal = await Refusal(() => client.V1.Charges[Guid.NewGuid().ToString()].GetAsync()),
        };
    }

    private static string Key() => Guid.NewGuid().ToString();

    private static async Task<string> Refusal(Func<Task> ask)
    {
        try
        {
            await ask();
            return "none";
        }
        catch (Problem refused)
        {
            return $"{refused.ResponseStatusCode} {refused.Title}";
        }
    }
}
