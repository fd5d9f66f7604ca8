import { Button, Buttons, Page } from '@sealpost/ui'
import { navigate } from '@sealpost/ui'
import { Slow } from '@sealpost/ui/desk'
import { forgetReads, Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { href } from '../routes.ts'
import { useWords } from '../words/index.ts'
import { ActingContext } from './acting.tsx'
import { call, useRead } from './worker.ts'

/**
 * Around everything that belongs to one company. While another one is chosen nothing of the former is drawn or kept: what
 * was read of it has the same names.
 */
export function Company({ children }: { readonly children: ReactNode }): ReactNode {
  const words = useWords().shell
  const [isSwitching, setSwitching] = useState(false)
  const act = useAct()
  const switchTo = async (companyId: string | null): Promise<void> => {
    flushSync(() => setSwitching(true))
    await act.run(async () => call('actFor', companyId))
    forgetReads()
    navigate(href('home'))
    setSwitching(false)
  }
  if (isSwitching) return <Slow>{words.switching}</Slow>
  return (
    <Within switchTo={(id) => void switchTo(id)}>
      <Problem failure={act.failure} />
      {children}
    </Within>
  )
}

interface WithinProps {
  readonly switchTo: (companyId: string | null) => void
  readonly children: ReactNode
}

function Within({ switchTo, children }: WithinProps): ReactNode {
  const words = useWords().shell
  const read = useRead('readActing', 'acting')
  const acting = read.state === 'ready' ? read.value : null
  const here = useMemo(() => (acting === null ? null : { ...acting, switchTo }), [acting, switchTo])
  if (read.state === 'pending') return <Slow>{words.opening}</Slow>
  if (here !== null) return <ActingContext value={here}>{children}</ActingContext>
  return (
    <Page title={words.noCompany}>
      {read.state === 'failed' ? <Problem failure={read.failure} onAgain={read.again} /> : null}
      <Buttons>
        <Button onClick={() => switchTo(null)}>{words.toOwn}</Button>
        <Button onClick={() => void call('lock')}>{words.lock}</Button>
      </Buttons>
    </Page>
  )
}
