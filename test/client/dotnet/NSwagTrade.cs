using Chargebook.NSwag.Merchants;

internal static class NSwagTrade
{
    public static async Task<Seen> Make(HttpClient http, string url, long amount)
    {
        var client = new MerchantsClient(http) { BaseUrl = url };
        var merchant = await client.GetMerchantAsync(null);
        var channels = await client.ListChannelsAsync(null);
        var customer = await client.CreateCustomerAsync(Key(), new CreateCustomerBody { Name = "Sari Dewi" });
        var second = await client.CreateCustomerAsync(Key(), new CreateCustomerBody { Name = "Budi", Address = new AddressBody { City = "Bandung", Country = "ID" } });

        var created = await client.CreateChargeAsync(Key(), new CreateChargeBody
        {
            Amount = amount,
            Currency = "IDR",
            Channel_code = CreateChargeBodyChannel_code.QR_QRIS,
            Action_flow = CreateChargeBodyAction_flow.PAYLOAD,
            Reference_id = "nswag-1",
            Metadata = new Dictionary<string, string> { ["table"] = "7" },
        });
        var token = created.Action.Simulation_url!.Segments[^1];
        await client.SimulateChargeAsync(token, new SimulationBody { Outcome = SimulationBodyOutcome.SUCCEED });
        await client.SimulateChargeAsync(token, new SimulationBody { Outcome = SimulationBodyOutcome.SETTLE });
        var id = created.Id.ToString();
        var paid = await client.GetChargeAsync(id, null);

        var refund = await client.CreateRefundAsync(id, Key(), new RequestRefundBody { Amount = 4_000, Reason = RequestRefundBodyReason.REQUESTED_BY_CUSTOMER });
        var refunded = await client.GetRefundAsync(refund.Id.ToString(), null, null);
        var payout = await client.CreatePayoutAsync(Key(), new RequestPayoutBody
        {
            Amount = amount / 2,
            Currency = "IDR",
            Bank_account_name = "Toko Melati",
            Bank_account_number = "1234560003",
            Bank_name = "Bank Central Asia",
        });
        var requested = await client.GetPayoutAsync(payout.Id.ToString(), null);
        var balance = await client.GetBalanceAsync("IDR", null, null);
        var settlements = await client.ListSettlementsAsync(null, null, "IDR", null, null);
        var charges = await client.ListChargesAsync(1, 100, "IDR", null, null, null, ChannelCode.QR_QRIS, null, null, null, true, null);
        return new Seen
        {
            Client = "NSwag",
            HasWebHook = merchant.Web_hook is not null,
            ChannelsWithoutRefund = channels.Count(channel => channel.Refund is null),
            HasAddress = customer.Address is not null,
            City = second.Address!.City!,
            Paid = $"{paid.Status} {paid.Settlement_status}",
            Settled = settlements.Single().Totals.Net_amount,
            Refunded = $"{refunded.Refund_status} {refunded.Reason}",
            RefundedAmount = refunded.Amount,
            PayoutNet = requested.Net_amount,
            PayoutStatus = $"{requested.Payout_status}",
            HasApproval = requested.Approval is not null || requested.Beneficiary is not null,
            Available = balance.Available_amount,
            Lists =
            [
                charges.Total_item_count,
                (await client.ListRefundsAsync(null, null, null, "IDR", null, null, null, null, null)).Count,
                (await client.ListPayoutsAsync(null, null, "IDR", null, null, null, null, null)).Count,
                settlements.Count,
                (await client.ListCustomersAsync(null, null, null, null)).Count,
            ],
            Events = (await client.ListEventsAsync(null, null, 100, null)).Count(each => each.Type == EventDtoType.Charge_settled && each.Sequence > 0),
            Refusal = await Refusal(() => client.GetChargeAsync(Guid.NewGuid().ToString(), null)),
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
        catch (ApiException<Problem> refused)
        {
            return $"{refused.StatusCode} {refused.Result.Title}";
        }
    }
}
