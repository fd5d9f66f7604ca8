import type { Command } from '../command.ts'
import { readSecret, refuseExisting, reportWritten, writeSecret } from '../files.ts'
import { atPortal } from '../portal-login.ts'
import { missingOption } from './options.ts'
import { portalLoginOf, portalOptions } from './portal-options.ts'

const pem: Command = {
  words: ['account', 'pem'],
  summary: 'Write the encrypted private key of the account to a file',
  json: 'document',
  about:
    'For webhooks with encrypt_payload. The key is opened on this machine with the password of the company’s own login at the\n' +
    'portal; account clients cannot read it. The session of this login ends with the command.',
  positionals: [],
  options: {
    ...portalOptions,
    out: { type: 'string', value: 'FILE', about: 'Required' },
    'passphrase-file': { type: 'string', value: 'FILE', about: 'Required; file with a passphrase for the new file' },
  },
  async run(context, given) {
    const { terminal } = context
    const required = (name: string): string => given.text(name) ?? missingOption(name)
    const login = portalLoginOf(context, given)
    const out = required('out')
    refuseExisting(terminal, out)
    const passphrase = readSecret(terminal, required('passphrase-file'), 'the passphrase')
    const file = await atPortal(login, ({ account, open }) => account.exportAccountPem(open, passphrase))
    writeSecret(terminal, out, file)
    reportWritten(context, out)
  },
}

export const accountCommands: readonly Command[] = [pem]
