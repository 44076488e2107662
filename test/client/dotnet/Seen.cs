/// <summary>What a client read of its trade, in the same members for every client.</summary>
internal sealed record Seen
{
    public required string Client { get; init; }
    public required bool HasWebHook { get; init; }
    /// <summary>Channels without refunds, whose <c>refund</c> is null.</summary>
    public required int ChannelsWithoutRefund { get; init; }
    public required bool HasAddress { get; init; }
    public required string City { get; init; }
    public required string Paid { get; init; }
    public required long Settled { get; init; }
    public required string Refunded { get; init; }
    public required long RefundedAmount { get; init; }
    public required long PayoutNet { get; init; }
    public required string PayoutStatus { get; init; }
    public required bool HasApproval { get; init; }
    public required long Available { get; init; }
    /// <summary>The lengths of the lists of charges, refunds, payouts, settlements and customers.</summary>
    public required long[] Lists { get; init; }
    public required int Events { get; init; }
    public required string Refusal { get; init; }
}
