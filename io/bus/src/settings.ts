import { integerSetting, secretSetting, textSetting } from '@sealpost/kernel'

export const busSettings = {
  NATS_USER: textSetting({ about: 'User name at every region’s NATS; empty when they ask for none.', fallback: '' }),
  NATS_PASSWORD: secretSetting({ about: 'Password that goes with NATS_USER.', fallback: '' }),
  BUS_HISTORY_HOURS: integerSetting({
    about:
      'How long a confirmed tell is kept, so that a peer restored from a backup can be sent it again. Backups older than this lose tells.',
    fallback: '24',
    min: 1,
  }),
}
