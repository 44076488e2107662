import { create } from 'qrcode';
import { html, type Html } from '../../platform/html/html.js';

/** Light modules around a code, without which scanners do not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * Returns `text` as a QR code: an SVG of one path, one unit per module, black on white regardless of the page's colours, because many scanners read
 * nothing else. Level M survives a scratched screen.
 */
export function qrSvg(text: string, label: string): Html {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  const size = modules.size + 2 * QUIET_ZONE;
  let path = '';
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size;) {
      const start = column;
      while (column < modules.size && modules.get(row, column)) column += 1;
      if (column > start) path += `M${start + QUIET_ZONE} ${row + QUIET_ZONE}h${column - start}v1h-${column - start}z`;
      else column += 1;
    }
  }
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d="${path}" />
  </svg>`;
}

/** Returns the value of an EMVCo payload under these ids, each within the one before. An entry is two digits of id, two of length, and the value. */
export function payloadField(payload: string, ...ids: readonly string[]): string | undefined {
  const [wanted, ...inner] = ids;
  if (wanted === undefined) return payload;
  for (let at = 0; ;) {
    const [, id, length] = /^(\d\d)(\d\d)/.exec(payload.slice(at)) ?? [];
    if (length === undefined) return undefined;
    const end = at + 4 + Number(length);
    if (id === wanted) return payloadField(payload.slice(at + 4, end), ...inner);
    at = end;
  }
}
