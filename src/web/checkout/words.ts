import { html, type Html } from '../../platform/html/html.js';
import type { Language } from '../../platform/http/language.js';
import type { PaymentState } from './payment.js';

interface Method {
  readonly title: string;
  readonly steps: readonly string[];
}

interface OutcomeWords {
  readonly title: string;
  /** Plain text for a screen reader. */
  readonly spoken: string;
}

type EndState = Exclude<PaymentState, 'PENDING'> | 'TIME_IS_UP';

/** Values for the text of an outcome. */
export interface OutcomeDetails {
  readonly merchant: Html;
  readonly amount: string;
  readonly since: Html;
  /** A whole sentence in the processor's words. */
  readonly reason: Html | null;
}

/** All texts that a customer reads. A language that lacks one does not compile. */
export interface Words {
  readonly test: string;
  readonly openSimulator: string;
  readonly continueTo: (name: string) => string;
  readonly continueToProvider: (name: string) => string;
  /** Input that the customer gives before there is a way to pay. */
  readonly start: {
    readonly phone: (wallet: string) => string;
    readonly bank: string;
    readonly choose: string;
    readonly go: string;
    readonly faults: Readonly<Record<'unusable' | 'refused' | 'later', string>>;
  };
  readonly approveOnPhone: (wallet: string) => string;
  readonly howToPay: string;
  readonly result: string;
  readonly details: string;
  readonly reference: string;
  readonly payment: string;
  readonly code: string;
  readonly payBefore: string;
  readonly timeLeft: string;
  readonly created: string;
  readonly paid: string;
  readonly receipt: string;
  readonly saveCode: string;
  readonly codeLabel: string;
  readonly waiting: string;
  readonly pay: (amount: string) => string;
  readonly back: (merchant: Html) => Html;
  readonly by: string;
  readonly language: string;
  readonly qr: (scheme: string) => Method;
  readonly bank: (name: string) => Method;
  readonly wallet: (name: string) => Method;
  readonly outcomes: Readonly<Record<EndState, OutcomeWords>>;
  readonly texts: Readonly<Record<EndState, (outcome: OutcomeDetails) => Html>>;
  readonly missing: { readonly title: string; readonly text: string };
  readonly unavailable: { readonly title: string; readonly text: string };
}

const en: Words = {
  test: 'Test mode.',
  openSimulator: 'Open the simulator',
  continueTo: (name) => `Continue to ${name} (simulated)`,
  continueToProvider: (name) => `Continue to ${name}`,
  start: {
    phone: (wallet) => `Mobile number of your ${wallet} account`,
    bank: 'Your bank',
    choose: 'Choose your bank',
    go: 'Continue',
    faults: {
      unusable: 'Please check what you have entered.',
      refused: 'That did not work, and you have not been charged. Please check what you have entered and try again.',
      later: 'We do not know yet whether that worked. Please wait a moment and open this page again.',
    },
  },
  approveOnPhone: (wallet) => `Open ${wallet} on your phone and approve the payment there.`,
  howToPay: 'How to pay',
  result: 'Result',
  details: 'Details',
  reference: 'Reference',
  payment: 'Payment',
  code: 'Payment code',
  payBefore: 'Pay before',
  timeLeft: 'Time left',
  created: 'Created',
  paid: 'Paid',
  receipt: 'Receipt number',
  saveCode: 'Save QR code',
  codeLabel: 'QR code of this payment',
  waiting: 'Waiting for your payment',
  pay: (amount) => `Pay ${amount}`,
  back: (merchant) => html`Back to ${merchant}`,
  by: 'Payments by',
  language: 'Language',
  qr: (scheme) => ({
    title: `Scan to pay with ${scheme}`,
    steps: [
      'Open your banking or e-wallet app and choose to scan a QR code.',
      'Scan this code. On the same phone, save it and pick it from your photos.',
      'Check the name and the amount, then confirm.',
    ],
  }),
  bank: (name) => ({
    title: `Pay with ${name} online banking`,
    steps: [
      'Continue to your bank’s own page and sign in there.',
      'Check the name and the amount, then approve.',
      'Come back to this page: it shows when the payment has arrived.',
    ],
  }),
  wallet: (name) => ({
    title: `Pay with ${name}`,
    steps: [
      `Open ${name} on your phone.`,
      'Check the name and the amount, then approve.',
      'Come back to this page: it shows when the payment has arrived.',
    ],
  }),
  outcomes: {
    TIME_IS_UP: { title: 'Time is up', spoken: 'Please do not pay it any more.' },
    SUCCEEDED: { title: 'Payment received', spoken: 'Thank you.' },
    FAILED: { title: 'Payment failed', spoken: 'You have not been charged.' },
    EXPIRED: { title: 'This payment has expired', spoken: 'Please do not pay it any more.' },
    CANCELLED: { title: 'This payment was cancelled', spoken: 'Please do not pay it any more.' },
    REVERSED: { title: 'This payment was returned', spoken: 'The money went back to you.' },
  },
  texts: {
    TIME_IS_UP: () => html`Please do not pay it any more. If you have just paid, this page shows it in a moment.`,
    SUCCEEDED: ({ merchant }) => html`Thank you. ${merchant} has been notified. You can close this page.`,
    FAILED: ({ merchant, reason }) => html`${reason} You have not been charged. Please ask ${merchant} for a new payment.`,
    EXPIRED: ({ merchant, since }) => html`It could be paid until ${since}. Please do not pay it any more, and ask ${merchant} for a new payment.`,
    CANCELLED: ({ merchant }) => html`${merchant} cancelled it. Please do not pay it any more.`,
    REVERSED: ({ amount }) => html`${amount} went back to where it came from. Your bank may take some days to show it.`,
  },
  missing: {
    title: 'There is no such payment',
    text: 'The address may be incomplete. Please use the link exactly as you were given it.',
  },
  unavailable: {
    title: 'One moment, please',
    text: 'This payment cannot be shown just now. Nothing about it has changed. Please open the page again in a few seconds.',
  },
};

const id: Words = {
  test: 'Mode uji coba.',
  openSimulator: 'Buka simulator',
  continueTo: (name) => `Lanjut ke ${name} (simulasi)`,
  continueToProvider: (name) => `Lanjut ke ${name}`,
  start: {
    phone: (wallet) => `Nomor ponsel akun ${wallet} Anda`,
    bank: 'Bank Anda',
    choose: 'Pilih bank Anda',
    go: 'Lanjut',
    faults: {
      unusable: 'Mohon periksa kembali isian Anda.',
      refused: 'Belum berhasil, dan uang Anda tidak terpotong. Mohon periksa kembali isian Anda lalu coba lagi.',
      later: 'Kami belum tahu apakah berhasil. Mohon tunggu sebentar, lalu buka lagi halaman ini.',
    },
  },
  approveOnPhone: (wallet) => `Buka ${wallet} di ponsel Anda dan setujui pembayarannya di sana.`,
  howToPay: 'Cara membayar',
  result: 'Hasil',
  details: 'Rincian',
  reference: 'Referensi',
  payment: 'Pembayaran',
  code: 'Kode pembayaran',
  payBefore: 'Bayar sebelum',
  timeLeft: 'Sisa waktu',
  created: 'Dibuat',
  paid: 'Dibayar',
  receipt: 'Nomor bukti',
  saveCode: 'Simpan kode QR',
  codeLabel: 'Kode QR pembayaran ini',
  waiting: 'Menunggu pembayaran Anda',
  pay: (amount) => `Bayar ${amount}`,
  back: (merchant) => html`Kembali ke ${merchant}`,
  by: 'Pembayaran melalui',
  language: 'Bahasa',
  qr: (scheme) => ({
    title: `Pindai untuk membayar dengan ${scheme}`,
    steps: [
      'Buka aplikasi bank atau dompet digital Anda, lalu pilih pindai kode QR.',
      'Pindai kode ini. Di ponsel yang sama, simpan kodenya lalu pilih dari galeri foto.',
      'Periksa nama dan jumlahnya, lalu konfirmasi.',
    ],
  }),
  bank: (name) => ({
    title: `Bayar dengan internet banking ${name}`,
    steps: [
      'Lanjutkan ke halaman bank Anda dan masuk di sana.',
      'Periksa nama dan jumlahnya, lalu setujui.',
      'Kembali ke halaman ini: pembayaran yang sudah diterima akan tampil di sini.',
    ],
  }),
  wallet: (name) => ({
    title: `Bayar dengan ${name}`,
    steps: [
      `Buka ${name} di ponsel Anda.`,
      'Periksa nama dan jumlahnya, lalu setujui.',
      'Kembali ke halaman ini: pembayaran yang sudah diterima akan tampil di sini.',
    ],
  }),
  outcomes: {
    TIME_IS_UP: { title: 'Waktu habis', spoken: 'Mohon jangan dibayar lagi.' },
    SUCCEEDED: { title: 'Pembayaran diterima', spoken: 'Terima kasih.' },
    FAILED: { title: 'Pembayaran gagal', spoken: 'Uang Anda tidak terpotong.' },
    EXPIRED: { title: 'Pembayaran ini sudah kedaluwarsa', spoken: 'Mohon jangan dibayar lagi.' },
    CANCELLED: { title: 'Pembayaran ini dibatalkan', spoken: 'Mohon jangan dibayar lagi.' },
    REVERSED: { title: 'Pembayaran ini dikembalikan', spoken: 'Uang Anda sudah dikembalikan.' },
  },
  texts: {
    TIME_IS_UP: () => html`Mohon jangan dibayar lagi. Jika Anda baru saja membayar, halaman ini akan segera menampilkannya.`,
    SUCCEEDED: ({ merchant }) => html`Terima kasih. ${merchant} sudah diberi tahu. Anda dapat menutup halaman ini.`,
    FAILED: ({ merchant, reason }) => html`${reason} Uang Anda tidak terpotong. Silakan minta pembayaran baru kepada ${merchant}.`,
    EXPIRED: ({ merchant, since }) =>
      html`Pembayaran ini berlaku sampai ${since}. Mohon jangan dibayar lagi, dan minta pembayaran baru kepada ${merchant}.`,
    CANCELLED: ({ merchant }) => html`${merchant} membatalkannya. Mohon jangan dibayar lagi.`,
    REVERSED: ({ amount }) => html`${amount} sudah dikembalikan ke asalnya. Bank Anda mungkin perlu beberapa hari untuk menampilkannya.`,
  },
  missing: {
    title: 'Pembayaran tidak ditemukan',
    text: 'Alamatnya mungkin tidak lengkap. Gunakan tautan persis seperti yang Anda terima.',
  },
  unavailable: {
    title: 'Mohon tunggu sebentar',
    text: 'Pembayaran ini belum dapat ditampilkan. Tidak ada yang berubah. Silakan buka lagi halaman ini beberapa detik lagi.',
  },
};

const ms: Words = {
  test: 'Mod ujian.',
  openSimulator: 'Buka simulator',
  continueTo: (name) => `Teruskan ke ${name} (simulasi)`,
  continueToProvider: (name) => `Teruskan ke ${name}`,
  start: {
    phone: (wallet) => `Nombor telefon bimbit akaun ${wallet} anda`,
    bank: 'Bank anda',
    choose: 'Pilih bank anda',
    go: 'Teruskan',
    faults: {
      unusable: 'Sila semak apa yang anda masukkan.',
      refused: 'Tidak berjaya, dan wang anda tidak ditolak. Sila semak apa yang anda masukkan dan cuba lagi.',
      later: 'Kami belum tahu sama ada ia berjaya. Sila tunggu sebentar dan buka halaman ini semula.',
    },
  },
  approveOnPhone: (wallet) => `Buka ${wallet} pada telefon anda dan luluskan bayaran di sana.`,
  howToPay: 'Cara membayar',
  result: 'Keputusan',
  details: 'Butiran',
  reference: 'Rujukan',
  payment: 'Bayaran',
  code: 'Kod bayaran',
  payBefore: 'Bayar sebelum',
  timeLeft: 'Baki masa',
  created: 'Dicipta',
  paid: 'Dibayar',
  receipt: 'Nombor resit',
  saveCode: 'Simpan kod QR',
  codeLabel: 'Kod QR bayaran ini',
  waiting: 'Menunggu bayaran anda',
  pay: (amount) => `Bayar ${amount}`,
  back: (merchant) => html`Kembali ke ${merchant}`,
  by: 'Bayaran melalui',
  language: 'Bahasa',
  qr: (scheme) => ({
    title: `Imbas untuk membayar dengan ${scheme}`,
    steps: [
      'Buka aplikasi bank atau e-dompet anda dan pilih imbas kod QR.',
      'Imbas kod ini. Pada telefon yang sama, simpan kod ini dan pilih daripada galeri foto.',
      'Semak nama dan jumlahnya, kemudian sahkan.',
    ],
  }),
  bank: (name) => ({
    title: `Bayar dengan perbankan dalam talian ${name}`,
    steps: [
      'Teruskan ke halaman bank anda dan log masuk di sana.',
      'Semak nama dan jumlahnya, kemudian luluskan.',
      'Kembali ke halaman ini: bayaran yang telah diterima akan dipaparkan.',
    ],
  }),
  wallet: (name) => ({
    title: `Bayar dengan ${name}`,
    steps: [
      `Buka ${name} pada telefon anda.`,
      'Semak nama dan jumlahnya, kemudian luluskan.',
      'Kembali ke halaman ini: bayaran yang telah diterima akan dipaparkan.',
    ],
  }),
  outcomes: {
    TIME_IS_UP: { title: 'Masa telah tamat', spoken: 'Sila jangan buat bayaran lagi.' },
    SUCCEEDED: { title: 'Bayaran diterima', spoken: 'Terima kasih.' },
    FAILED: { title: 'Bayaran gagal', spoken: 'Wang anda tidak ditolak.' },
    EXPIRED: { title: 'Bayaran ini telah luput', spoken: 'Sila jangan buat bayaran lagi.' },
    CANCELLED: { title: 'Bayaran ini dibatalkan', spoken: 'Sila jangan buat bayaran lagi.' },
    REVERSED: { title: 'Bayaran ini dikembalikan', spoken: 'Wang anda telah dikembalikan.' },
  },
  texts: {
    TIME_IS_UP: () => html`Sila jangan buat bayaran lagi. Jika anda baru sahaja membayar, halaman ini akan memaparkannya sebentar lagi.`,
    SUCCEEDED: ({ merchant }) => html`Terima kasih. ${merchant} telah dimaklumkan. Anda boleh menutup halaman ini.`,
    FAILED: ({ merchant, reason }) => html`${reason} Wang anda tidak ditolak. Sila minta bayaran baharu daripada ${merchant}.`,
    EXPIRED: ({ merchant, since }) =>
      html`Bayaran ini boleh dibuat sehingga ${since}. Sila jangan buat bayaran lagi, dan minta bayaran baharu daripada ${merchant}.`,
    CANCELLED: ({ merchant }) => html`${merchant} membatalkannya. Sila jangan buat bayaran lagi.`,
    REVERSED: ({ amount }) => html`${amount} telah dikembalikan ke tempat asalnya. Bank anda mungkin mengambil beberapa hari untuk memaparkannya.`,
  },
  missing: {
    title: 'Bayaran tidak ditemui',
    text: 'Alamat ini mungkin tidak lengkap. Sila gunakan pautan tepat seperti yang diberikan kepada anda.',
  },
  unavailable: {
    title: 'Sila tunggu sebentar',
    text: 'Bayaran ini tidak dapat dipaparkan buat masa ini. Tiada apa-apa yang berubah. Sila buka halaman ini semula dalam beberapa saat.',
  },
};

export const WORDS: Readonly<Record<Language, Words>> = { id, ms, en };
