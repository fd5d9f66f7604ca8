import { integerSetting, listSetting, type Settings, switchSetting, textSetting } from '@sealpost/kernel'
import { API_VERSION, readErrorsPage } from '@sealpost/protocol'
import type { ServerOptions } from './server-options.ts'

const MIB = 1_048_576

/** The settings of an app's HTTP interface. */
export const httpSettings = {
  HEADER_VENDOR: textSetting({ about: 'The word in `X-<word>-…` header names.', fallback: 'Platform' }),
  APP_ORIGINS: listSetting({
    about:
      'Origins of the web apps that may call from a browser. With that of the front door, calls can be tried in its API reference.',
    fallback: '',
  }),
  TRUSTED_PROXIES: listSetting({
    about:
      'Addresses or ranges of the proxies in front, whose X-Forwarded-For is trusted. If it is empty behind a proxy, ' +
      'all callers count as one source and share its limits; a warning is logged.',
    fallback: '',
  }),
  HTTP_CONNECTIONS: integerSetting({
    about: 'Open connections of one process; further ones are closed at once.',
    fallback: '10000',
    min: 1,
  }),
  HTTP_CONNECTIONS_ADDRESS: integerSetting({
    about:
      'Open connections of one process from one address (an IPv6 address by its /64), and bodies without a verified token ' +
      'that it waits for from one; addresses of TRUSTED_PROXIES have no limit of connections.',
    fallback: '512',
    min: 1,
  }),
  HTTP_HEADERS_SECONDS: integerSetting({
    about: 'Seconds in which the head of a request must arrive.',
    fallback: '15',
    min: 1,
    max: 120,
  }),
  HTTP_REQUEST_SECONDS: integerSetting({
    about: 'Seconds in which a whole request must arrive; without a verified token, 64 KB of it in each ten seconds.',
    fallback: '120',
    min: 1,
    max: 3600,
  }),
  INFLIGHT_CALLER: integerSetting({
    about: 'Calls that one caller (service, client, user, or address before login) has in flight in one process.',
    fallback: '16',
    min: 1,
  }),
  INFLIGHT_BODY_MB: integerSetting({
    about: 'Bodies of the calls that one caller has in flight in one process, in megabytes of 1,048,576 bytes.',
    fallback: '128',
    min: 64,
  }),
  INFLIGHT_PROCESS_MB: integerSetting({
    about: 'Bodies of all calls in flight in one process, in the same megabytes; the process takes up to 650 more.',
    fallback: '512',
    min: 64,
  }),
  HTTP_BURST_SECONDS: integerSetting({
    about:
      'Seconds for which calls may wait in a process that is at its limit; calls that wait longer without a pause are no ' +
      'burst, and those that have waited for 50 ms are refused.',
    fallback: '2',
    min: 1,
    max: 60,
  }),
  INTAKE_MB_PER_SECOND: integerSetting({
    about:
      'How fast one process reads the bodies of one caller, in the same megabytes, after the first four seconds of it.',
    fallback: '16',
    min: 1,
  }),
  PAGE_KB: integerSetting({
    about: 'Kilobytes at which a page of a list ends and has a `next_cursor`; one that is read by `offset` does not.',
    fallback: '8000',
    min: 1,
  }),
  READER_WINDOW_SECONDS: integerSetting({
    about: 'Seconds in which the reader of an answer must take `READER_WINDOW_KB`; otherwise the answer is ended.',
    fallback: '120',
    min: 1,
  }),
  READER_WINDOW_KB: integerSetting({
    about: 'Kilobytes that the reader of an answer must take in each `READER_WINDOW_SECONDS` while bytes wait for it.',
    fallback: '16',
    min: 1,
  }),
  STRICT_CONTRACT: switchSetting({
    about: 'Fails a call whose answer or SQL rows do not match their declaration; for development and tests.',
    fallback: '0',
  }),
} as const

type WireOptions = Pick<
  ServerOptions,
  | 'sockets'
  | 'inflight'
  | 'intake'
  | 'admission'
  | 'headerVendor'
  | 'apiVersion'
  | 'errorsUrl'
  | 'trustedProxies'
  | 'appOrigins'
  | 'pageBytes'
  | 'readers'
  | 'strictContract'
>

/** The server options that follow from these settings, the same in every app. */
export function wireOptions(settings: Settings<typeof httpSettings>, frontDoorUrl: string): WireOptions {
  return {
    headerVendor: settings.HEADER_VENDOR,
    // The header carries the major number only.
    apiVersion: API_VERSION.slice(0, API_VERSION.indexOf('.')),
    errorsUrl: `${frontDoorUrl}${readErrorsPage.path}`,
    trustedProxies: settings.TRUSTED_PROXIES,
    appOrigins: settings.APP_ORIGINS,
    pageBytes: settings.PAGE_KB * 1000,
    readers: { windowMs: settings.READER_WINDOW_SECONDS * 1000, minBytes: settings.READER_WINDOW_KB * 1000 },
    strictContract: settings.STRICT_CONTRACT,
    sockets: {
      maxConnections: settings.HTTP_CONNECTIONS,
      maxPerAddress: settings.HTTP_CONNECTIONS_ADDRESS,
      headersTimeoutMs: settings.HTTP_HEADERS_SECONDS * 1000,
      requestTimeoutMs: settings.HTTP_REQUEST_SECONDS * 1000,
    },
    inflight: {
      callerCalls: settings.INFLIGHT_CALLER,
      callerBytes: settings.INFLIGHT_BODY_MB * MIB,
      processBytes: settings.INFLIGHT_PROCESS_MB * MIB,
    },
    admission: { burstMs: settings.HTTP_BURST_SECONDS * 1000 },
    intake: {
      burstBytes: 4 * settings.INTAKE_MB_PER_SECOND * MIB,
      bytesPerSecond: settings.INTAKE_MB_PER_SECOND * MIB,
    },
  }
}
