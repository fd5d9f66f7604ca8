import { customSetting, Secret } from '@sealpost/kernel'
import { parseSender, type Sender } from './sender.ts'
import { parseSmtpUrl } from './smtp-url.ts'

export const mailSettings = {
  SMTP_URL: customSetting(
    {
      about:
        'The server that accepts mails: `smtps://user:password@host` uses TLS from the start, `smtp://` requires STARTTLS unless the host is this machine or `?tls=off` is added.',
    },
    'an smtp or smtps address',
    (text) => {
      parseSmtpUrl(text)
      return new Secret(text)
    },
    true,
  ),
  MAIL_FROM: customSetting<Sender>(
    { about: 'The sender of mails: `name@example.com` or `Name <name@example.com>`.' },
    'an e-mail address, optionally with a name before it',
    parseSender,
  ),
}
