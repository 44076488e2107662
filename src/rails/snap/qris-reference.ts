const CHARGE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const REFERENCE = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(\d\d)$/;
const ATTEMPTS_MAX = 99;

/**
 * partnerReferenceNo of a charge's QR code: the charge's id without dashes and the attempt in two digits. Money is thereby assigned to the charge,
 * and a second instruction is no repeat of the first. Letters and digits only; SNAP allows 64.
 * @throws RangeError
 */
export function qrisReference(chargeId: string, attempt: number): string {
  if (!CHARGE_ID.test(chargeId) || !Number.isInteger(attempt) || attempt < 1 || attempt > ATTEMPTS_MAX) {
    throw new RangeError(`no reference for attempt ${attempt} of charge ${chargeId}`);
  }
  return chargeId.replaceAll('-', '') + String(attempt).padStart(2, '0');
}

/** undefined: not a reference of ours. */
export function chargeOfReference(reference: string): string | undefined {
  const parts = REFERENCE.exec(reference);
  return parts ? parts.slice(1, 6).join('-') : undefined;
}
