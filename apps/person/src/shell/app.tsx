import { SessionContext, type SessionState, takeWanted } from '@sealpost/session'
import { Failed, type Match, matchRoute, navigate, PageNotice, Pending, useLocation } from '@sealpost/ui'
import { Boundary, forgetReads, OldNotice } from '@sealpost/web-app'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Welcome } from '../features/start/welcome.tsx'
import { type RouteName, routes } from '../routes.ts'
import { useWords } from '../words/index.ts'
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

/** Pages of an open account that ask one thing, without the way to the others. */
const alone: Readonly<Partial<Record<RouteName, PageOf>>> = {
  consent: lazy(() => import('../features/consent/consent.tsx')),
}
const Cards = lazy(() => import('../features/approvals/cards.tsx'))

/** Pages of an open account. Each is loaded when it is first shown. */
const inside: Readonly<Partial<Record<RouteName, PageOf>>> = {
  home: lazy(() => import('../features/home/home.tsx')),
  data: lazy(() => import('../features/data/list.tsx')),
  newField: lazy(() => import('../features/data/new-field.tsx')),
  field: lazy(() => import('../features/data/field.tsx')),
  sees: lazy(() => import('../features/connections/sees.tsx')),
  connect: lazy(() => import('../features/connections/connect.tsx')),
  offer: lazy(() => import('../features/connections/offer.tsx')),
  connection: lazy(() => import('../features/connections/connection.tsx')),
  endConnection: lazy(() => import('../features/connections/end.tsx')),
  papers: lazy(() => import('../features/papers/list.tsx')),
  paper: lazy(() => import('../features/papers/paper.tsx')),
  declinePaper: lazy(() => import('../features/papers/decline.tsx')),
  cancelPaper: lazy(() => import('../features/papers/cancel.tsx')),
  messages: lazy(() => import('../features/messages/list.tsx')),
  thread: lazy(() => import('../features/messages/thread.tsx')),
  flows: lazy(() => import('../features/flows/list.tsx')),
  flow: lazy(() => import('../features/flows/run.tsx')),
  turn: lazy(() => import('../features/flows/turn.tsx')),
  endFlow: lazy(() => import('../features/flows/end.tsx')),
  signIns: lazy(() => import('../features/approvals/sign-ins.tsx')),
  settings: lazy(() => import('../features/settings/settings.tsx')),
  devices: lazy(() => import('@sealpost/session/pages/devices')),
  notices: lazy(() => import('../features/settings/notices.tsx')),
  unlockSetup: lazy(() => import('@sealpost/session/pages/unlock-setup')),
  password: lazy(() => import('@sealpost/session/pages/password')),
  takeOut: lazy(() => import('../features/settings/take-out.tsx')),
  deletion: lazy(() => import('../features/settings/deletion.tsx')),
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
  const isOpen = session.state === 'open'
  const Outside = match === null ? undefined : outside[match.name]
  // Registration goes on after the account has opened: it ends with the recovery code and the unlock.
  const isLeftBehind = isOpen && (match?.name === 'signIn' || match?.name === 'recover')
  useEffect(() => {
    if (isLeftBehind && match.name === 'signIn') navigate(takeWanted(), { replace: true })
  }, [isLeftBehind, match?.name])
  if (match !== null && Outside !== undefined) return <Outside params={match.params} />
  if (session.state === 'absent') return <Welcome />
  if (session.state === 'locked') return <Locked session={session} />
  return (
    <>
      <OpenPage path={path} match={match} />
      <Suspense>
        <Boundary>
          <Cards />
        </Boundary>
      </Suspense>
    </>
  )
}

function OpenPage({ path, match }: { readonly path: string; readonly match: Match<RouteName> | null }): ReactNode {
  const Alone = match === null ? undefined : alone[match.name]
  if (match !== null && Alone !== undefined)
    return (
      <Boundary key={path}>
        <Alone params={match.params} />
      </Boundary>
    )
  const Inside = match === null ? undefined : inside[match.name]
  return (
    <Frame>
      <Boundary key={path}>
        {match === null || Inside === undefined ? <NotFound /> : <Inside key={path} params={match.params} />}
      </Boundary>
    </Frame>
  )
}
