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
    about: 'The origins of all regions, as browsers reach them: pages may call these and the front door, nothing else.',
  }),
  ...processSettings,
} as const

export type WebSettings = Settings<typeof webSettings>
