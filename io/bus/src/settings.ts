import { integerSetting } from '@sealpost/kernel'

export const busSettings = {
  BUS_HISTORY_HOURS: integerSetting({
    about:
      'How long a confirmed tell is kept, so that a peer restored from a backup can be sent it again. Backups older than this lose tells.',
    fallback: '24',
    min: 1,
  }),
}
