import { integerSetting, secretSetting, textSetting } from '@sealpost/kernel'
import { DEFAULT_ASK_TIMEOUT_MS } from './asks/ask.ts'
import { LONGEST_HISTORY_HOURS } from './partitions.ts'

export const busSettings = {
  NATS_USER: textSetting({ about: 'User name at every region’s NATS; empty when they require none.', fallback: '' }),
  NATS_PASSWORD: secretSetting({ about: 'Password that goes with NATS_USER.', fallback: '' }),
  ASK_TIMEOUT_MS: integerSetting({
    about:
      'Milliseconds that a call waits for another region before it is answered 503 region.unreachable. Raise it when regions are far apart.',
    fallback: String(DEFAULT_ASK_TIMEOUT_MS),
    min: 100,
    max: 60_000,
  }),
  BUS_HISTORY_HOURS: integerSetting({
    about:
      'How long a confirmed tell is kept, so that a peer restored from a backup can be sent it again. Backups older than this lose tells.',
    fallback: '24',
    min: 1,
    max: LONGEST_HISTORY_HOURS,
  }),
}
