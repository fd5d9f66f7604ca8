import { sessionRoutes } from '@sealpost/session/routes'
import { linksTo } from '@sealpost/ui'

/** The pages of the app, by name. The first that fits is shown. */
export const routes = {
  ...sessionRoutes,
  data: '/data',
  newField: '/data/new',
  field: '/data/:field',
  sees: '/sees',
  connect: '/connect',
  offer: '/connect/:company/:service',
  connection: '/connections/:connection',
  endConnection: '/connections/:connection/end',
  papers: '/papers',
  paper: '/papers/:connection/:paper',
  declinePaper: '/papers/:connection/:paper/decline',
  cancelPaper: '/papers/:connection/:paper/cancel',
  messages: '/messages',
  thread: '/messages/:connection',
  flows: '/forms',
  flow: '/forms/:connection/:run',
  turn: '/forms/:connection/:run/turn',
  endFlow: '/forms/:connection/:run/end',
  /** `AUTH_WEB_URL` of the platform leads here. */
  consent: '/consent',
  signIns: '/sign-ins',
  notices: '/settings/notices',
  takeOut: '/settings/export',
  deletion: '/settings/delete',
} as const

export type RouteName = keyof typeof routes

export const href = linksTo(routes)
