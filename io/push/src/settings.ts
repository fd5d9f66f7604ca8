import { customSetting, Secret, type Settings } from '@sealpost/kernel'
import { readVapidKey } from './vapid.ts'

export const pushSettings = {
  VAPID_KEY: customSetting(
    {
      about:
        'The private key (P-256, base64url) that signs push messages to the devices of persons; `operate push make-key` makes ' +
        'one. Without it nothing is pushed, and devices use the stream of hints. Changing it ends all subscriptions.',
      fallback: '',
    },
    'base64url of a P-256 private key',
    (text) => {
      if (text !== '') readVapidKey(text)
      return new Secret(text)
    },
    true,
  ),
  VAPID_SUBJECT: customSetting(
    {
      about: 'Where the operators of push services reach you: `mailto:name@example.com` or an https address. Required with `VAPID_KEY`.',
      fallback: '',
    },
    'a mailto or https address',
    (text) => {
      if (text !== '' && !/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text)) throw new Error('not such an address')
      return text
    },
  ),
}

export type PushSettings = Settings<typeof pushSettings>
