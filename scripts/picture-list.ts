export const FOLDER = 'docs/images';

export interface Picture {
  /** Name of the file in FOLDER. */
  readonly file: string;
  /** Size of the window, pixels. */
  readonly width: number;
  readonly height: number;
  /** Path within the console, or a page of a customer. */
  readonly at: string;
  /** Selectors of links within the page; the first match of each is followed. */
  readonly follow?: readonly string[];
}

const WIDTH = 1280;
const PHONE = { width: 390, height: 844 } as const;

/** Every picture of the documentation. */
export const PICTURES: readonly Picture[] = [
  { file: 'payment-page.png', ...PHONE, at: 'payment' },
  { file: 'console-overview.png', width: WIDTH, height: 1620, at: '' },
  { file: 'console-exceptions.png', width: WIDTH, height: 900, at: '/exceptions' },
  { file: 'console-merchant.png', width: WIDTH, height: 1450, at: '/merchants', follow: ['a[href*="/merchants/"]'] },
  { file: 'console-history.png', width: WIDTH, height: 1000, at: '/charges?Status=SUCCEEDED', follow: ['a[href*="/history/charge-"]'] },
  { file: 'console-source.png', width: WIDTH, height: 900, at: '/recon/sources/test-simulator' },
  { file: 'console-recon.png', width: WIDTH, height: 1380, at: '/recon' },
  { file: 'console-break.png', width: WIDTH, height: 1000, at: '/recon?Kind=AMOUNT', follow: ['a[href*="/recon/breaks/"]'] },
  { file: 'console-day.png', width: WIDTH, height: 900, at: '/recon', follow: ['a[href*="/recon/days/"]'] },
  { file: 'console-suspense.png', width: WIDTH, height: 900, at: '/suspense' },
  { file: 'console-receivable.png', width: WIDTH, height: 700, at: '/recon/receivable' },
  { file: 'console-desk.png', width: WIDTH, height: 700, at: '/desk' },
  { file: 'console-proposal.png', width: WIDTH, height: 1300, at: '/desk', follow: ['a[href*="/desk/proposals/"]'] },
  { file: 'console-payout.png', width: WIDTH, height: 900, at: '/desk', follow: ['a[href*="/desk/payouts/"]'] },
  { file: 'console-month.png', width: WIDTH, height: 1000, at: '/months', follow: ['a[href*="/months/"]'] },
  { file: 'console-people.png', width: WIDTH, height: 800, at: '/people' },
];
