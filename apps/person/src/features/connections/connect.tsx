import { Button, Form, navigate, Page, Section, TextField } from '@sealpost/ui'
import { Problem, readFrontDoorUrl, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { href } from '../../routes.ts'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import { Scan } from '../camera/scan.tsx'
import { readScanned, readServiceCode } from './scanned.ts'

/** The code of a company, typed or scanned; what it asks for is on the next page. */
export default function Connect(): ReactNode {
  const { connections } = useWords()
  const words = connections.connect
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const typed = readServiceCode(code)
  const problem = typed === null ? words.codeProblem : undefined
  return (
    <Page title={words.title} lead={words.lead} back={{ href: href('sees'), label: connections.sees.title }}>
      <Form
        onSend={async () => {
          setTried(true)
          if (typed === null) return
          await act.run(async () => {
            await call('lookUpService', `${typed.company}/${typed.service}`)
            navigate(href('offer', typed))
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
      <Section title={words.scan}>
        <Scan onText={follow} />
      </Section>
    </Page>
  )
}

/** False for a code that leads nowhere in this app. */
function follow(text: string): boolean {
  const scanned = readScanned(text, location.origin, readFrontDoorUrl())
  if (scanned?.kind === 'service') navigate(href('offer', scanned) + scanned.fragment)
  if (scanned?.kind === 'request') navigate(`${href('consent')}${scanned.query}`)
  return scanned !== null
}
