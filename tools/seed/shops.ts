import type { NewMerchant } from '../../src/domain/merchants/merchant.commands.js';
import type { Random } from './random.js';

/** Name and goods of a demo merchant. Prices in minor units of its currency. */
interface Shop {
  readonly name: string;
  readonly country: 'ID' | 'MY' | 'SG';
  readonly sells: readonly { readonly item: string; readonly price: number }[];
}

const SHOPS: readonly Shop[] = [
  {
    name: 'Kopi Senja',
    country: 'ID',
    sells: [
      { item: 'Es kopi susu', price: 2_200_000 },
      { item: 'Kopi tubruk', price: 1_500_000 },
      { item: 'Roti bakar', price: 2_800_000 },
      { item: 'Biji kopi Gayo 250 g', price: 9_500_000 },
    ],
  },
  {
    name: 'Batik Laras',
    country: 'ID',
    sells: [
      { item: 'Kemeja batik', price: 38_500_000 },
      { item: 'Kain batik tulis', price: 145_000_000 },
      { item: 'Selendang', price: 17_500_000 },
    ],
  },
  {
    name: 'Warung Bu Tini',
    country: 'ID',
    sells: [
      { item: 'Nasi campur', price: 3_500_000 },
      { item: 'Ayam geprek', price: 2_900_000 },
      { item: 'Es teh', price: 600_000 },
    ],
  },
  {
    name: 'Toko Buku Aksara',
    country: 'ID',
    sells: [
      { item: 'Novel', price: 9_900_000 },
      { item: 'Buku tulis', price: 1_200_000 },
      { item: 'Kamus', price: 18_500_000 },
    ],
  },
  {
    name: 'Nasi Lemak Corner',
    country: 'MY',
    sells: [
      { item: 'Nasi lemak', price: 1_250 },
      { item: 'Teh tarik', price: 380 },
      { item: 'Roti canai', price: 520 },
    ],
  },
  {
    name: 'Pasar Hijau',
    country: 'MY',
    sells: [
      { item: 'Vegetable box', price: 6_900 },
      { item: 'Durian', price: 11_500 },
    ],
  },
  {
    name: 'Merlion Cycles',
    country: 'SG',
    sells: [
      { item: 'City bike', price: 64_900 },
      { item: 'Helmet', price: 7_900 },
      { item: 'Service', price: 4_500 },
    ],
  },
  {
    name: 'Kaya & Toast',
    country: 'SG',
    sells: [
      { item: 'Kaya toast set', price: 680 },
      { item: 'Kopi O', price: 190 },
    ],
  },
];

/** Number of merchants before the first branch. */
export const SHOPS_COUNT = SHOPS.length;

const CHANNELS: Readonly<Record<Shop['country'], readonly { readonly weight: number; readonly item: string }[]>> = {
  ID: [
    { weight: 55, item: 'QR_QRIS' },
    { weight: 18, item: 'WALLET_OVO' },
    { weight: 17, item: 'WALLET_DANA' },
    { weight: 10, item: 'WALLET_SHOPEEPAY' },
  ],
  MY: [
    { weight: 45, item: 'BANK_REDIRECT_FPX' },
    { weight: 40, item: 'WALLET_TNG' },
    { weight: 15, item: 'WALLET_GRABPAY' },
  ],
  SG: [
    { weight: 75, item: 'QR_PAYNOW' },
    { weight: 25, item: 'WALLET_GRABPAY_SG' },
  ],
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
  const quantity = random.weighted([
    { weight: 6, item: 1 },
    { weight: 3, item: 2 },
    { weight: 1, item: 3 },
  ]);
  return { amount: price * quantity, description: quantity === 1 ? item : `${item} × ${quantity}`, channel_code: random.weighted(CHANNELS[country]) };
}
