import { sessionRoutes } from '@sealpost/session/routes'
import { linksTo } from '@sealpost/ui'

/** The pages of the app, by name. The first that fits is shown. */
export const routes = {
  ...sessionRoutes,
  delegates: '/delegates',
  newDelegate: '/delegates/new',
  delegate: '/delegates/:delegate',
  handOver: '/delegates/:delegate/keys/:service',
  audit: '/audit',
  services: '/services',
  newService: '/services/new',
  service: '/services/:service',
  serviceFields: '/services/:service/fields',
  serviceApi: '/services/:service/api',
  serviceKey: '/services/:service/key',
  deleteService: '/services/:service/delete',
  runs: '/services/:service/runs',
  run: '/services/:service/runs/:flow/:run',
} as const

export type RouteName = keyof typeof routes

export const href = linksTo(routes)
