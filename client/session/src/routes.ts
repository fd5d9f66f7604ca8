import { linksTo } from '@sealpost/ui'

/** Pages of the session, by name; an app has them among its own. */
export const sessionRoutes = {
  home: '/',
  register: '/register',
  signIn: '/sign-in',
  recover: '/recover',
  settings: '/settings',
  devices: '/settings/devices',
  unlockSetup: '/settings/unlock',
  password: '/settings/password',
} as const

export const href = linksTo(sessionRoutes)
