import type { NewMerchant } from '../../src/domain/merchants/merchant.commands.js';
import type { Random } from './random.js';

/** Name and goods of a demo merchant. Prices in minor units of its currency. */
interface Shop {
  readonly name: string;
  readonly country: 'ID' | 'MY' | 'SG';
  readonly sells: readonly { readonly item: string; readonly price: number }[];
}

const shopOf = (name: string, country: Shop['country'], prices: Readonly<Record<string, number>>): Shop => ({
  name,
  country,
  sells: Object.entries(prices).map(([item, price]) => ({ item, price })),
});

const SHOPS: readonly Shop[] = [
  shopOf('Kopi Senja', 'ID', { 'Es kopi susu': 2_200_000, 'Kopi tubruk': 1_500_000, 'Roti bakar': 2_800_000, 'Biji kopi Gayo 250 g': 9_500_000 }),
  shopOf('Batik Laras', 'ID', { 'Kemeja batik': 38_500_000, 'Kain batik tulis': 145_000_000, Selendang: 17_500_000 }),
  shopOf('Warung Bu Tini', 'ID', { 'Nasi campur': 3_500_000, 'Ayam geprek': 2_900_000, 'Es teh': 600_000 }),
  shopOf('Toko Buku Aksara', 'ID', { Novel: 9_900_000, 'Buku tulis': 1_200_000, Kamus: 18_500_000 }),
  shopOf('Nasi Lemak Corner', 'MY', { 'Nasi lemak': 1_250, 'Teh tarik': 380, 'Roti canai': 520 }),
  shopOf('Pasar Hijau', 'MY', { 'Vegetable box': 6_900, Durian: 11_500 }),
  shopOf('Merlion Cycles', 'SG', { 'City bike': 64_900, Helmet: 7_900, Service: 4_500 }),
  shopOf('Kaya & Toast', 'SG', { 'Kaya toast set': 680, 'Kopi O': 190 }),
];

/** Number of merchants before the first branch. */
export const SHOPS_COUNT = SHOPS.length;

/** Weights by code. */
const CHANNELS: Readonly<Record<Shop['country'], Readonly<Record<string, number>>>> = {
  ID: { QR_QRIS: 55, WALLET_OVO: 18, WALLET_DANA: 17, WALLET_SHOPEEPAY: 10 },
  MY: { BANK_REDIRECT_FPX: 45, WALLET_TNG: 40, WALLET_GRABPAY: 15 },
  SG: { QR_PAYNOW: 75, WALLET_GRABPAY_SG: 25 },
};

/** The `index`th demo merchant: the list is repeated, as branches. */
export function shop(index: number): Shop & NewMerchant {
  const like = SHOPS[index % SHOPS.length]!;
  const branch = Math.floor(index / SHOPS.length);
  return { ...like, name: branch === 0 ? like.name : `${like.name} ${branch + 1}`, email: null, mode: 'test' };
}

/** A purchase at `shop`, and its channel. */
export function sale(
  { country, sells }: Shop,
  random: Random,
): { readonly amount: number; readonly description: string; readonly channel_code: string } {
  const { item, price } = random.pick(sells);
  const quantity = random.pick([1, 1, 1, 1, 1, 1, 2, 2, 2, 3]);
  return { amount: price * quantity, description: quantity === 1 ? item : `${item} × ${quantity}`, channel_code: random.weighted(CHANNELS[country]) };
}
