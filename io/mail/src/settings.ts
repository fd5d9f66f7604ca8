import { customSetting, Secret } from '@sealpost/kernel'
import { parseSender, type Sender } from './sender.ts'
import { parseSmtpUrl } from './smtp-url.ts'

export const mailSettings = {
  SMTP_URL: customSetting(
    {
      about:
        'The server that takes mails: `smtps://user:password@host` speaks TLS from the start, `smtp://` demands STARTTLS unless the host is this machine or `?tls=off` is added.',
    },
    'an smtp or smtps address',
    (text) => {
      parseSmtpUrl(text)
      return new Secret(text)
    },
    true,
  ),
  MAIL_FROM: customSetting<Sender>(
    { about: 'Who mails come from: `name@example.com` or `Name <name@example.com>`.' },
    'an e-mail address, with a name before it if wanted',
    parseSender,
  ),
}
