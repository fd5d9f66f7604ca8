import { Button, Form, navigate, TextField } from '@sealpost/ui'
import { DeskPage } from '@sealpost/ui/desk'
import { Problem, Shown, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { DelegateWish } from '../../worker/commands/delegates.ts'
import type { ServiceView } from '../../worker/commands/services.ts'
import { RoleAndServices } from './role-and-services.tsx'
import classes from './delegates.module.css'

export default function AddDelegate(): ReactNode {
  const words = useWords().delegates
  const services = useRead('listServices', 'services')
  return (
    <DeskPage title={words.add} lead={words.addPage.lead} crumbs={[{ href: href('delegates'), name: words.title }]}>
      <div className={classes.narrow}>
        <Shown of={services}>{(all) => <Add all={all} />}</Shown>
      </div>
    </DeskPage>
  )
}

/** The least is chosen before: an operator of nothing. */
const LEAST: DelegateWish = { role: 'operator', services: [] }

function Add({ all }: { readonly all: readonly ServiceView[] }): ReactNode {
  const words = useWords().delegates.addPage
  const [code, setCode] = useState('')
  const [wish, setWish] = useState(LEAST)
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const add = async (): Promise<void> => {
    setTried(true)
    if (code.trim() === '') return
    await act.run(async () => {
      const id = await call('addDelegate', { ...wish, code: code.trim().toUpperCase() })
      navigate(href('delegate', { delegate: id }))
    })
  }
  return (
    <Form onSend={add}>
      <TextField
        label={words.code}
        hint={words.codeHint}
        isMono
        autoComplete="off"
        maxLength={32}
        value={code}
        onValue={setCode}
        problem={isTried && code.trim() === '' ? words.codeProblem : undefined}
      />
      <RoleAndServices wish={wish} all={all} onWish={setWish} />
      <Problem failure={act.failure} />
      <div>
        <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
          {words.send}
        </Button>
      </div>
    </Form>
  )
}
