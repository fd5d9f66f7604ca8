import { listSetting, type Settings, switchSetting, textSetting } from '@sealpost/kernel'
import { API_VERSION } from '@sealpost/protocol'
import type { ServerOptions } from './server-options.ts'

/** How an app appears on the wire. */
export const httpSettings = {
  HEADER_VENDOR: textSetting({ about: 'The word in `X-<word>-…` header names.', fallback: 'Platform' }),
  APP_ORIGINS: listSetting({ about: 'Origins of the web apps that may call from a browser.', fallback: '' }),
  TRUSTED_PROXIES: listSetting({ about: 'Addresses or ranges whose X-Forwarded-For is believed.', fallback: '' }),
  STRICT_CONTRACT: switchSetting({
    about: 'Fails a call whose answer does not match its documentation; for development and tests.',
    fallback: '0',
  }),
} as const

type WireOptions = Pick<
  ServerOptions,
  'headerVendor' | 'apiVersion' | 'trustedProxies' | 'appOrigins' | 'strictContract'
>

/** The part of a server's options that follows from these settings, the same in every app. */
export function wireOptions(settings: Settings<typeof httpSettings>): WireOptions {
  return {
    headerVendor: settings.HEADER_VENDOR,
    // The header names the major number only.
    apiVersion: API_VERSION.slice(0, API_VERSION.indexOf('.')),
    trustedProxies: settings.TRUSTED_PROXIES,
    appOrigins: settings.APP_ORIGINS,
    strictContract: settings.STRICT_CONTRACT,
  }
}
