import { listSetting, switchSetting, textSetting } from '@sealpost/kernel'

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
