import type { FactoryProvider, InjectionToken } from '@nestjs/common';

/** Returns providers of single services from the object that one factory returns. */
export const pick = <Services extends object>(services: symbol, tokens: { readonly [Name in keyof Services]?: InjectionToken }): FactoryProvider[] =>
  (Object.entries(tokens) as [keyof Services, InjectionToken][]).map(([name, provide]) => ({
    provide,
    useFactory: (built: Services) => built[name],
    inject: [services],
  }));
