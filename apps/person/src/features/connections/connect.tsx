import { Button, Form, navigate, Page, TextField } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { Problem } from '../../shell/problem.tsx'
import { useAct } from '../../shell/use-act.ts'
import { call } from '../../shell/worker-client.ts'
import { useWords } from '../../words/index.ts'

const CODE = /^\s*([A-Za-z0-9]+)\s*\/\s*([A-Za-z0-9_-]+)\s*$/

/** The code of a company; what it asks for is on the next page. */
export default function Connect(): ReactNode {
  const { connections } = useWords()
  const words = connections.connect
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const [, company, service] = CODE.exec(code.toUpperCase()) ?? []
  const problem = company === undefined ? words.codeProblem : undefined
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('sees'), label: connections.sees.title }}>
      <Form
        onSend={async () => {
          setTried(true)
          if (company === undefined || service === undefined) return
          await act.run(async () => {
            await call('lookUpService', `${company}/${service}`)
            navigate(href('offer', { company, service }))
          })
        }}
      >
        <TextField
          label={words.code}
          hint={words.codeHint}
          value={code}
          onValue={setCode}
          isMono
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          problem={isTried ? problem : undefined}
        />
        <Problem failure={act.failure} />
        <Button type="submit" look="main" busy={act.isBusy ? words.looking : null}>
          {words.look}
        </Button>
      </Form>
    </Page>
  )
}
