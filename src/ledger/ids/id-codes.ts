/** The last `length` digits of the id as a number of base 36, 0-9A-Z: always the same for an id whose bits are those of a hash; 36^16 is 2^82. */
function idCode(id: string, length: number): string {
  return BigInt(`0x${id.replaceAll('-', '')}`)
    .toString(36)
    .slice(-length)
    .toUpperCase()
    .padStart(length, '0');
}

/** Name of a charge for people and processors. */
export const chargeCode = (chargeId: string): string => `CHG_${idCode(chargeId, 16)}`;

/** Name of a payout on the simulated bank's statements; other banks use the reference of an attempt. */
export const simulatedTransferReference = (payoutId: string): string => `P${idCode(payoutId, 15)}`;
