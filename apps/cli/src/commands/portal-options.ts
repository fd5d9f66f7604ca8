import type { Context, Given, Option } from '../command.ts'
import { readSecret } from '../files.ts'
import type { PortalLogin } from '../portal-login.ts'
import { missingOption } from './options.ts'

/** The options of commands for which a user logs in at the portal. */
export const portalOptions = {
  email: { type: 'string', value: 'ADDRESS', about: 'Required; the address of the login' },
  'password-file': { type: 'string', value: 'FILE', about: 'Required; file with its password' },
  otp: { type: 'string', value: 'CODE', about: 'One-time code, if the account requires one' },
  'app-origin': { type: 'string', value: 'URL', about: 'Required; the address of the portal, https://portal.example' },
} as const satisfies Readonly<Record<string, Option>>

export function portalLoginOf(context: Context, { text }: Given): PortalLogin {
  const required = (name: keyof typeof portalOptions): string => text(name) ?? missingOption(name)
  return {
    frontDoorUrl: context.frontDoorUrl(),
    appOrigin: required('app-origin'),
    email: required('email'),
    password: readSecret(context.terminal, required('password-file'), 'the password'),
    otp: text('otp'),
  }
}
