import { create } from 'qrcode';

/** Light modules around a code, without which scanners do not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/**
 * `text` as a QR code: an SVG of one path, a unit a module, black on white whatever the page's colours, because many
 * scanners read nothing else. Level M survives a scratched screen.
 */
export function qrSvg(text: string): string {
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
  return `<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of this payment" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>`;
}
