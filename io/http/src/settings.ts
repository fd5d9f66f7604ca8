import { listSetting, type Settings, switchSetting, textSetting } from '@sealpost/kernel'
import { API_VERSION } from '@sealpost/protocol'
import type { ServerOptions } from './server-options.ts'

/** The settings of an app's HTTP interface. */
export const httpSettings = {
  HEADER_VENDOR: textSetting({ about: 'The word in `X-<word>-…` header names.', fallback: 'Platform' }),
  APP_ORIGINS: listSetting({ about: 'Origins of the web apps that may call from a browser.', fallback: '' }),
  TRUSTED_PROXIES: listSetting({ about: 'Addresses or ranges whose X-Forwarded-For is trusted.', fallback: '' }),
  STRICT_CONTRACT: switchSetting({
    about: 'Fails a call whose answer or SQL rows do not match their declaration; for development and tests.',
    fallback: '0',
  }),
} as const

type WireOptions = Pick<
  ServerOptions,
  'headerVendor' | 'apiVersion' | 'trustedProxies' | 'appOrigins' | 'strictContract'
>

/** The server options that follow from these settings, the same in every app. */
export function wireOptions(settings: Settings<typeof httpSettings>): WireOptions {
  return {
    headerVendor: settings.HEADER_VENDOR,
    // The header carries the major number only.
    apiVersion: API_VERSION.slice(0, API_VERSION.indexOf('.')),
    trustedProxies: settings.TRUSTED_PROXIES,
    appOrigins: settings.APP_ORIGINS,
    strictContract: settings.STRICT_CONTRACT,
  }
}
