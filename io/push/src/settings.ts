import { customSetting, Secret, type Settings } from '@sealpost/kernel'
import { readVapidKey } from './vapid.ts'

export const pushSettings = {
  VAPID_KEY: customSetting(
    {
      about:
        'The private key (P-256, base64url) that signs push messages to the devices of persons; `operate push:make-key` makes ' +
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
      about:
        'Where the operators of push services reach you: `mailto:name@example.com` or an https address. Required with `VAPID_KEY`.',
      fallback: '',
    },
    'a mailto or https address',
    (text) => {
      if (text !== '' && !/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text)) throw new Error('not such an address')
      return text
    },
  ),
}

/** For the log at start and for `doctor`; null when push messages are sent. */
export function pushAdvice({ VAPID_KEY }: PushSettings): string | null {
  if (VAPID_KEY.reveal() !== '') return null
  return 'no push messages are sent to devices: set VAPID_KEY (`operate push:make-key` makes one) and VAPID_SUBJECT'
}

export type PushSettings = Settings<typeof pushSettings>
