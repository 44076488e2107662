import type { Language } from '../../platform/http/language.js';
import type { MovementKind } from './statements.dto.js';

/** All texts of a statement. A language that lacks one does not compile. */
export interface StatementWords {
  readonly title: string;
  readonly until: (moment: string) => string;
  readonly between: (from: string, to: string) => string;
  readonly page: (number: number) => string;
  readonly lastPage: (number: number) => string;
  readonly caption: (currency: string) => string;
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly carriedForward: string;
  readonly broughtForward: string;
  /** Headings of the columns, in order. */
  readonly headings: readonly [string, string, string, string, string, string, string, string, string];
  readonly kinds: Readonly<Record<MovementKind, string>>;
  readonly language: string;
}

const EN: StatementWords = {
  title: 'Statement of account',
  until: (moment) => `Until ${moment}`,
  between: (from, to) => `${from} to ${to}`,
  page: (number) => `Page ${number}`,
  lastPage: (number) => `Page ${number} of ${number}`,
  caption: (currency) => `Movements by the time of booking. Amounts in ${currency}.`,
  openingBalance: 'Opening balance',
  closingBalance: 'Closing balance',
  carriedForward: 'Carried forward',
  broughtForward: 'Brought forward',
  headings: ['Booked', 'What', 'Code and reference', 'Pending', 'Available', 'Reserved', 'Fee', 'Available after', 'Total after'],
  kinds: {
    CHARGE_PAID: 'Charge paid',
    CHARGE_REVERSED: 'Charge reversed',
    REFUND_CLAIMED: 'Refund claimed',
    REFUND_SUCCEEDED: 'Refund succeeded',
    REFUND_FAILED: 'Refund failed',
    REFUND_CANCELLED: 'Refund cancelled',
    REFUND_BOUNCED: 'Refund bounced',
    DISPUTE_HELD: 'Dispute held',
    DISPUTE_LOST: 'Dispute lost',
    DISPUTE_WON: 'Dispute won',
    REFUND_RESERVED: 'Refund reserved',
    REFUND_RELEASED: 'Refund released',
    SETTLEMENT: 'Settlement',
    PAYOUT_REQUESTED: 'Payout requested',
    PAYOUT_CANCELLED: 'Payout cancelled',
    PAYOUT_FAILED: 'Payout failed',
    PAYOUT_SUCCEEDED: 'Payout succeeded',
    PAYOUT_RETURNED: 'Payout returned',
    ADJUSTMENT: 'Adjustment',
  },
  language: 'Language',
};

const ID: StatementWords = {
  title: 'Laporan rekening',
  until: (moment) => `Sampai ${moment}`,
  between: (from, to) => `${from} sampai ${to}`,
  page: (number) => `Halaman ${number}`,
  lastPage: (number) => `Halaman ${number} dari ${number}`,
  caption: (currency) => `Mutasi menurut waktu pembukuan. Jumlah dalam ${currency}.`,
  openingBalance: 'Saldo awal',
  closingBalance: 'Saldo akhir',
  carriedForward: 'Saldo dipindahkan',
  broughtForward: 'Saldo pindahan',
  headings: ['Dibukukan', 'Transaksi', 'Kode dan referensi', 'Tertunda', 'Tersedia', 'Dicadangkan', 'Biaya', 'Saldo tersedia', 'Saldo total'],
  kinds: {
    CHARGE_PAID: 'Pembayaran diterima',
    CHARGE_REVERSED: 'Pembayaran dibalikkan',
    REFUND_CLAIMED: 'Refund diajukan',
    REFUND_SUCCEEDED: 'Refund berhasil',
    REFUND_FAILED: 'Refund gagal',
    REFUND_CANCELLED: 'Refund dibatalkan',
    REFUND_BOUNCED: 'Refund kembali',
    DISPUTE_HELD: 'Sengketa: dana ditahan',
    DISPUTE_LOST: 'Sengketa: kalah',
    DISPUTE_WON: 'Sengketa: menang',
    REFUND_RESERVED: 'Dana refund dicadangkan',
    REFUND_RELEASED: 'Dana refund dilepaskan',
    SETTLEMENT: 'Settlement',
    PAYOUT_REQUESTED: 'Pencairan diajukan',
    PAYOUT_CANCELLED: 'Pencairan dibatalkan',
    PAYOUT_FAILED: 'Pencairan gagal',
    PAYOUT_SUCCEEDED: 'Pencairan berhasil',
    PAYOUT_RETURNED: 'Pencairan dikembalikan',
    ADJUSTMENT: 'Penyesuaian',
  },
  language: 'Bahasa',
};

const MS: StatementWords = {
  title: 'Penyata akaun',
  until: (moment) => `Sehingga ${moment}`,
  between: (from, to) => `${from} hingga ${to}`,
  page: (number) => `Halaman ${number}`,
  lastPage: (number) => `Halaman ${number} daripada ${number}`,
  caption: (currency) => `Pergerakan mengikut masa catatan. Jumlah dalam ${currency}.`,
  openingBalance: 'Baki awal',
  closingBalance: 'Baki akhir',
  carriedForward: 'Baki ke hadapan',
  broughtForward: 'Baki dibawa',
  headings: ['Dicatat', 'Transaksi', 'Kod dan rujukan', 'Belum selesai', 'Tersedia', 'Dirizab', 'Yuran', 'Baki tersedia', 'Jumlah baki'],
  kinds: {
    CHARGE_PAID: 'Bayaran diterima',
    CHARGE_REVERSED: 'Bayaran diterbalikkan',
    REFUND_CLAIMED: 'Bayaran balik diminta',
    REFUND_SUCCEEDED: 'Bayaran balik berjaya',
    REFUND_FAILED: 'Bayaran balik gagal',
    REFUND_CANCELLED: 'Bayaran balik dibatalkan',
    REFUND_BOUNCED: 'Bayaran balik kembali',
    DISPUTE_HELD: 'Pertikaian: ditahan',
    DISPUTE_LOST: 'Pertikaian: kalah',
    DISPUTE_WON: 'Pertikaian: menang',
    REFUND_RESERVED: 'Bayaran balik dirizab',
    REFUND_RELEASED: 'Bayaran balik dilepaskan',
    SETTLEMENT: 'Penyelesaian',
    PAYOUT_REQUESTED: 'Pengeluaran diminta',
    PAYOUT_CANCELLED: 'Pengeluaran dibatalkan',
    PAYOUT_FAILED: 'Pengeluaran gagal',
    PAYOUT_SUCCEEDED: 'Pengeluaran berjaya',
    PAYOUT_RETURNED: 'Pengeluaran dipulangkan',
    ADJUSTMENT: 'Pelarasan',
  },
  language: 'Bahasa',
};

export const STATEMENT_WORDS: Readonly<Record<Language, StatementWords>> = { id: ID, ms: MS, en: EN };
