import { SessionContext, type SessionState, takeWanted } from '@sealpost/session'
import { Failed, matchRoute, navigate, PageNotice, Pending, useLocation } from '@sealpost/ui'
import { Boundary, forgetReads, OldNotice } from '@sealpost/web-app'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Welcome } from '../features/start/welcome.tsx'
import { type RouteName, routes } from '../routes.ts'
import { useWords } from '../words/index.ts'
import { Company } from './company.tsx'
import { Frame } from './frame.tsx'
import { NotFound } from './not-found.tsx'
import { useRead } from './worker.ts'

/** Parts of the path of the page. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>
}

type PageOf = (props: PageProps) => ReactNode

/** Pages outside of an account: before there is an account on this device, or while it is locked. */
const outside: Readonly<Partial<Record<RouteName, PageOf>>> = {
  register: lazy(() => import('@sealpost/session/pages/register')),
  signIn: lazy(() => import('@sealpost/session/pages/sign-in')),
  recover: lazy(() => import('@sealpost/session/pages/recover')),
}
const Locked = lazy(() => import('@sealpost/session/pages/locked'))

/** Pages of an open account. Each is loaded when it is first shown. */
const inside: Readonly<Partial<Record<RouteName, PageOf>>> = {
  home: lazy(() => import('../features/home/home.tsx')),
  delegates: lazy(() => import('../features/delegates/list.tsx')),
  newDelegate: lazy(() => import('../features/delegates/add.tsx')),
  delegate: lazy(() => import('../features/delegates/delegate.tsx')),
  handOver: lazy(() => import('../features/delegates/hand-over.tsx')),
  audit: lazy(() => import('../features/audit/audit.tsx')),
  services: lazy(() => import('../features/services/list.tsx')),
  service: lazy(() => import('../features/services/overview.tsx')),
  serviceFields: lazy(() => import('../features/services/fields/fields.tsx')),
  serviceApi: lazy(() => import('../features/services/api/api-access.tsx')),
  serviceKey: lazy(() => import('../features/keys/service-key.tsx')),
  deleteService: lazy(() => import('../features/services/delete.tsx')),
  runs: lazy(() => import('../features/runs/list.tsx')),
  run: lazy(() => import('../features/runs/run.tsx')),
  settings: lazy(() => import('../features/settings/settings.tsx')),
  devices: lazy(() => import('@sealpost/session/pages/devices')),
  unlockSetup: lazy(() => import('@sealpost/session/pages/unlock-setup')),
  password: lazy(() => import('@sealpost/session/pages/password')),
}

/** Without the frame: what was shown once must not be left by a click beside it. */
const ceremonies: Readonly<Partial<Record<RouteName, PageOf>>> = {
  newService: lazy(() => import('../features/services/new/new-service.tsx')),
}

export function App(): ReactNode {
  const words = useWords().shell
  const read = useRead('sessionState', 'session')
  const isOpen = read.state === 'ready' && read.value.state === 'open'
  useEffect(() => {
    if (!isOpen) forgetReads()
  }, [isOpen])
  if (read.state === 'pending') return null
  if (read.state === 'failed') return <Failed failure={read.failure} onAgain={read.again} />
  return (
    <SessionContext value={read.value}>
      <PageNotice value={<OldNotice />}>
        <Suspense fallback={<Pending>{words.opening}</Pending>}>
          <Boundary>
            <Pages session={read.value} />
          </Boundary>
        </Suspense>
      </PageNotice>
    </SessionContext>
  )
}

function Pages({ session }: { readonly session: SessionState }): ReactNode {
  const { path } = useLocation()
  const match = matchRoute(routes, path)
  const Outside = match === null ? undefined : outside[match.name]
  // Registration goes on after the account has opened: it ends with the recovery code and the unlock.
  const isSignedIn = session.state === 'open' && match?.name === 'signIn'
  useEffect(() => {
    if (isSignedIn) navigate(takeWanted(), { replace: true })
  }, [isSignedIn])
  if (match !== null && Outside !== undefined) return <Outside params={match.params} />
  if (session.state === 'absent') return <Welcome />
  if (session.state === 'locked') return <Locked session={session} />
  const Ceremony = match === null ? undefined : ceremonies[match.name]
  if (match !== null && Ceremony !== undefined) return <Ceremony key={path} params={match.params} />
  const Inside = match === null ? undefined : inside[match.name]
  return (
    <Company>
      <Frame>
        <Boundary key={path}>
          {match === null || Inside === undefined ? <NotFound /> : <Inside key={path} params={match.params} />}
        </Boundary>
      </Frame>
    </Company>
  )
}
