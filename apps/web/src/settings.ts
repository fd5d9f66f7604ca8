import { listSetting, type Settings, textSetting, urlSetting } from '@sealpost/kernel'
import { processSettings } from '@sealpost/process'

/** Every setting of the web server; `docs/settings.md` is printed from this table. */
export const webSettings = {
  WEB_ROOT: textSetting({ about: 'The folder of a built web app, such as `dist/person`.' }),
  FRONT_DOOR_URL: urlSetting({
    about:
      'The address of the front door, as browsers reach it; the app and the front door share one registrable domain.',
  }),
  API_ORIGINS: listSetting({
    about:
      'The origins of all regions and of the plugin forwarder, as browsers reach them: pages may call these and the front door, nothing else.',
  }),
  PERSON_APP_URL: textSetting({
    about:
      'For the portal: the address of the person app, as browsers reach it, which links and QR codes for customers lead to. ' +
      'Without it the portal shows the code of a service only.',
    fallback: '',
  }),
  SEAL_ROOTS: textSetting({
    about:
      'The path of a PEM file with the root certificates of seals and of their time-stamps. With it the app judges who sealed ' +
      'a PDF; without it only whether the file has changed.',
    fallback: '',
  }),
  ...processSettings,
} as const

export type WebSettings = Settings<typeof webSettings>
