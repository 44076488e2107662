import { latinInAscii } from '../../platform/text/ascii.js';

interface Bank {
  /** Code in the national clearing. */
  readonly code: string;
  readonly bic?: string;
  /** Common names, beside the full name: compared without case, punctuation and the words in WITHOUT_MEANING. */
  readonly names: readonly string[];
}

const bank = (code: string, bic: string | undefined, ...names: string[]): Bank => ({ code, names, ...(bic === undefined ? {} : { bic }) });

/**
 * Banks that payouts are sent to. The code is that of Bank Indonesia's list of clearing members; the BIC is that of the head office, listed only
 * where it is certain. An unlisted bank is not guessed: the payout waits for a listed code.
 */
const BANKS: readonly Bank[] = [
  bank('002', 'BRINIDJA', 'BRI', 'Rakyat Indonesia', 'Rakyat Indonesia BRI'),
  bank('008', 'BMRIIDJA', 'Mandiri'),
  bank('009', 'BNINIDJA', 'BNI', 'Negara Indonesia', 'Negara Indonesia BNI', 'Negara Indonesia 1946', 'BNI 46'),
  bank('011', 'BDINIDJA', 'Danamon', 'Danamon Indonesia'),
  bank('013', 'BBBAIDJA', 'Permata', 'PermataBank'),
  bank('014', 'CENAIDJA', 'BCA', 'Central Asia', 'Central Asia BCA'),
  bank('016', 'IBBKIDJA', 'Maybank', 'Maybank Indonesia', 'BII', 'BII Maybank'),
  bank('019', 'PINBIDJA', 'Panin', 'Pan Indonesia', 'Pan Indonesia Panin', 'PaninBank'),
  bank('022', 'BNIAIDJA', 'CIMB', 'CIMB Niaga'),
  bank('023', 'BBIJIDJA', 'UOB', 'UOB Indonesia', 'TMRW'),
  bank('028', 'NISPIDJA', 'OCBC', 'OCBC NISP', 'OCBC Indonesia'),
  bank('031', undefined, 'Citibank', 'Citibank NA', 'Citi'),
  bank('036', undefined, 'CCB Indonesia', 'China Construction Bank Indonesia'),
  bank('037', undefined, 'Artha Graha', 'Artha Graha Internasional'),
  bank('041', 'HSBCIDJA', 'HSBC', 'HSBC Indonesia'),
  bank('042', 'BOTKIDJX', 'MUFG', 'MUFG Bank'),
  bank('046', 'DBSBIDJA', 'DBS', 'DBS Indonesia'),
  bank('047', undefined, 'Resona Perdania'),
  bank('048', undefined, 'Mizuho', 'Mizuho Indonesia'),
  bank('050', undefined, 'Standard Chartered', 'Standard Chartered Indonesia'),
  bank('054', undefined, 'Capital', 'Capital Indonesia'),
  bank('061', undefined, 'ANZ', 'ANZ Indonesia'),
  bank('076', undefined, 'Bumi Arta'),
  bank('095', undefined, 'JTrust', 'J Trust', 'JTrust Indonesia'),
  bank('097', undefined, 'Mayapada', 'Mayapada Internasional'),
  bank('110', undefined, 'BJB', 'Jabar Banten', 'BPD Jawa Barat dan Banten', 'Pembangunan Daerah Jawa Barat dan Banten'),
  bank('111', undefined, 'DKI', 'Jakarta', 'DKI Jakarta'),
  bank('112', undefined, 'BPD DIY', 'DIY'),
  bank('113', undefined, 'Jateng', 'Jawa Tengah', 'BPD Jawa Tengah'),
  bank('114', undefined, 'Jatim', 'Jawa Timur', 'BPD Jawa Timur'),
  bank('116', undefined, 'Aceh', 'Aceh Syariah'),
  bank('117', undefined, 'Sumut', 'Sumatera Utara'),
  bank('118', undefined, 'Nagari', 'Sumbar'),
  bank('119', undefined, 'Riau Kepri', 'Riau Kepri Syariah', 'BRK Syariah'),
  bank('120', undefined, 'Sumsel Babel'),
  bank('121', undefined, 'Lampung', 'BPD Lampung'),
  bank('122', undefined, 'Kalsel'),
  bank('123', undefined, 'Kalbar'),
  bank('124', undefined, 'Kaltimtara', 'Kaltim'),
  bank('125', undefined, 'Kalteng'),
  bank('126', undefined, 'Sulselbar'),
  bank('127', undefined, 'SulutGo'),
  bank('128', undefined, 'NTB Syariah', 'NTB'),
  bank('129', undefined, 'BPD Bali', 'Bali'),
  bank('130', undefined, 'NTT'),
  bank('131', undefined, 'Maluku', 'Maluku Malut'),
  bank('132', undefined, 'Papua'),
  bank('133', undefined, 'Bengkulu'),
  bank('134', undefined, 'Sulteng'),
  bank('135', undefined, 'Sultra'),
  bank('137', undefined, 'Banten', 'BPD Banten'),
  bank('147', undefined, 'Muamalat', 'Muamalat Indonesia'),
  bank('151', undefined, 'Mestika', 'Mestika Dharma'),
  bank('152', undefined, 'Shinhan', 'Shinhan Indonesia'),
  bank('153', undefined, 'Sinarmas'),
  bank('157', undefined, 'Maspion', 'Maspion Indonesia'),
  bank('161', undefined, 'Ganesha'),
  bank('164', undefined, 'ICBC', 'ICBC Indonesia'),
  bank('167', undefined, 'QNB', 'QNB Indonesia'),
  bank('200', 'BTANIDJA', 'BTN', 'Tabungan Negara', 'Tabungan Negara BTN'),
  bank('212', undefined, 'Woori Saudara', 'Woori Saudara Indonesia 1906'),
  bank('213', undefined, 'BTPN', 'SMBC Indonesia', 'Jenius'),
  bank('405', undefined, 'Victoria Syariah'),
  bank('425', undefined, 'BJB Syariah'),
  bank('426', 'MEGAIDJA', 'Mega'),
  bank('441', 'BBUKIDJA', 'KB Bukopin', 'Bukopin', 'KB Indonesia'),
  bank('451', 'BSMDIDJA', 'BSI', 'Syariah Indonesia', 'Syariah Indonesia BSI'),
  bank('472', undefined, 'Jasa Jakarta', 'Saqu'),
  bank('484', undefined, 'Hana', 'KEB Hana', 'KEB Hana Indonesia', 'LINE Bank'),
  bank('485', undefined, 'MNC', 'MNC Internasional'),
  bank('490', undefined, 'Neo Commerce', 'BNC'),
  bank('494', undefined, 'Raya', 'Raya Indonesia', 'BRI Agro'),
  bank('498', undefined, 'SBI Indonesia'),
  bank('501', undefined, 'Digital BCA', 'BCA Digital', 'blu', 'blu by BCA Digital'),
  bank('503', undefined, 'Nobu', 'Nationalnobu', 'National Nobu'),
  bank('506', undefined, 'Mega Syariah'),
  bank('513', undefined, 'Ina', 'Ina Perdana'),
  bank('517', undefined, 'Panin Dubai Syariah'),
  bank('521', undefined, 'KB Bukopin Syariah', 'Bukopin Syariah'),
  bank('523', undefined, 'Sahabat Sampoerna', 'Sampoerna'),
  bank('531', undefined, 'Amar', 'Amar Indonesia'),
  bank('535', undefined, 'SeaBank', 'SeaBank Indonesia'),
  bank('536', undefined, 'BCA Syariah'),
  bank('542', undefined, 'Jago'),
  bank('547', undefined, 'BTPN Syariah'),
  bank('553', undefined, 'Mayora', 'Hibank', 'Hibank Indonesia'),
  bank('555', undefined, 'Index', 'Index Selindo'),
  bank('562', undefined, 'Superbank', 'Superbank Indonesia'),
  bank('564', undefined, 'Mantap', 'Mandiri Taspen'),
  bank('566', undefined, 'Victoria', 'Victoria International'),
  bank('567', undefined, 'Allo', 'Allo Bank Indonesia'),
  bank('947', undefined, 'Aladin', 'Aladin Syariah'),
  bank('949', undefined, 'CTBC', 'CTBC Indonesia'),
  bank('950', undefined, 'Commonwealth'),
];

/** Words that do not distinguish banks. */
const WITHOUT_MEANING = new Set(['pt', 'bank', 'tbk', 'persero', 'perseroan', 'the']);

/** Normalises a name for comparison: "PT. Bank Central Asia, Tbk" becomes "central asia". */
function comparable(name: string): string {
  const words = latinInAscii(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.filter((word) => word !== '' && !WITHOUT_MEANING.has(word)).join(' ');
}

const BY_NAME = new Map<string, Bank>();
const BY_CODE = new Map<string, Bank>();
for (const each of BANKS) {
  for (const name of each.names) {
    // An ambiguous name must not select one of two banks by chance.
    if (BY_NAME.has(comparable(name)) && BY_NAME.get(comparable(name)) !== each) throw new Error(`two banks have the name ${name}`);
    BY_NAME.set(comparable(name), each);
  }
  BY_CODE.set(each.code, each);
  if (each.bic !== undefined) BY_CODE.set(each.bic, each);
}

/** Finds a bank by code or BIC; without either by its name. A code takes precedence over a name of another bank, because names are free text. */
function find({ bank_code, bank_name }: { readonly bank_code: string | null; readonly bank_name: string }): Bank | undefined {
  if (bank_code === null) return BY_NAME.get(comparable(bank_name));
  const code = bank_code.trim().toUpperCase();
  // A BIC of eleven characters is that of a branch; XXX is the head office.
  return BY_CODE.get(code.endsWith('XXX') ? code.slice(0, -3) : code);
}

/** Returns the code by which a provider knows a bank; undefined for an unknown bank. */
export function indonesianBankCode(
  named: { readonly bank_code: string | null; readonly bank_name: string },
  style: 'digits' | 'bic-or-digits',
): string | undefined {
  const found = find(named);
  return style === 'digits' ? found?.code : (found?.bic ?? found?.code);
}
