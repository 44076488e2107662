import { asset, styleOnBase } from '../../platform/html/assets.js';

export const STYLE = styleOnBase(new URL('./assets/page.css', import.meta.url));
export const SCRIPT = asset(new URL('./assets/payment-page.js', import.meta.url), 'text/javascript; charset=utf-8');
