import { Button, PasswordField, Pending, TearOff, Tick } from '@sealpost/ui'
import { groupsOf, SecretOnce } from '@sealpost/ui/desk'
import { Problem, saveFile, useAct } from '@sealpost/web-app'
import { Download, Eye, Printer } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../../../shell/worker.ts'
import { useWords } from '../../../words/index.ts'
import type { MadeServiceView, NewKeyView } from '../../../worker/commands/new-service.ts'
import { keyFileName } from '../../keys/key-file-name.ts'
import type { About } from './about.ts'
import { Proof } from './proof.tsx'
import { Rite } from './rite.tsx'
import classes from './course.module.css'

/** Made in the worker; of it the page has the passphrase only, to show it. */
export type NewKey = NewKeyView

interface KeyStepProps {
  readonly about: About
  readonly known: NewKey | null
  readonly onKey: (key: NewKey) => void
  readonly onBack: () => void
  readonly onMade: (service: MadeServiceView) => void
}

/** Makes the key once; going back to the name keeps it. */
export function KeyStep(props: KeyStepProps): ReactNode {
  const { known, onKey } = props
  const words = useWords().newService.key
  const act = useAct()
  const make = async (): Promise<void> => void (await act.run(async () => onKey(await call('makeServiceKey'))))
  useEffect(() => {
    if (known === null) void make()
  }, [])
  if (known !== null) return <Ceremony {...props} made={known} />
  return (
    <main className={classes.rite}>
      {act.failure === null ? <Pending>{words.making}</Pending> : null}
      <Problem failure={act.failure} onAgain={() => void make()} />
    </main>
  )
}

const GROUP_OF = 4
/** Places of groups that are asked; each uncovering goes on to the next pair. */
const PAIRS: readonly (readonly [number, number])[] = [
  [3, 8],
  [1, 6],
  [4, 9],
  [2, 7],
]

function Ceremony({ about, made, onBack, onMade }: KeyStepProps & { readonly made: NewKey }): ReactNode {
  const words = useWords().newService.key
  const [looks, setLooks] = useState(0)
  const [keepsCopy, setKeepsCopy] = useState(true)
  const [password, setPassword] = useState('')
  const act = useAct()
  const covered = PAIRS[looks % PAIRS.length] ?? [3, 8]
  const groups = groupsOf(made.passphrase, GROUP_OF)
  const needsPassword = keepsCopy && made.needsPassword
  const create = async (): Promise<void> => {
    await act.run(async () => {
      const wish = { ...about, name: about.name.trim(), adminEmail: about.adminEmail.trim() }
      const typed = needsPassword ? password : null
      onMade(await call('createService', { ...wish, recoveryCopy: keepsCopy, password: typed }))
    })
  }
  return (
    <>
      <Rite
        title={words.title(about.name)}
        lead={words.lead}
        aside={<Lost keepsCopy={keepsCopy} onKeepsCopy={setKeepsCopy} />}
      >
        <TearOff
          title={words.passphrase}
          act={
            <Proof
              key={looks}
              groups={groups}
              asked={covered}
              act={words.create(about.name)}
              busy={act.isBusy ? words.busy : null}
              onProven={create}
            >
              {needsPassword ? (
                <PasswordField
                  label={words.password}
                  hint={words.passwordHint}
                  autoComplete="current-password"
                  value={password}
                  onValue={setPassword}
                />
              ) : null}
              <Problem failure={act.failure} />
              {act.failure === null ? null : <Button onClick={onBack}>{words.back}</Button>}
            </Proof>
          }
        >
          <Stores
            name={about.name}
            passphrase={made.passphrase}
            covered={covered}
            onUncover={() => setLooks(looks + 1)}
          />
        </TearOff>
      </Rite>
      <Paper name={about.name} groups={groups} />
    </>
  )
}

/** Shows the passphrase, and the ways to store it. */
function Stores({
  name,
  passphrase,
  covered,
  onUncover,
}: {
  readonly name: string
  readonly passphrase: string
  readonly covered: readonly number[]
  readonly onUncover: () => void
}): ReactNode {
  const words = useWords().newService.key
  return (
    <>
      <SecretOnce label={words.passphrase} secret={passphrase} groupOf={GROUP_OF} covered={covered} />
      <div className={classes.stores}>
        <Button icon={<Printer size={16} aria-hidden />} onClick={() => window.print()}>
          {words.print}
        </Button>
        <KeyFile name={name} />
        <Button look="bare" icon={<Eye size={16} aria-hidden />} onClick={onUncover}>
          {words.uncover}
        </Button>
      </div>
    </>
  )
}

/** What a printer gets, in the place of the page. */
function Paper({ name, groups }: { readonly name: string; readonly groups: readonly string[] }): ReactNode {
  const words = useWords().newService.key
  return (
    <section className={classes.paper} aria-hidden>
      <h1>{words.paperTitle(name)}</h1>
      <ol>
        {groups.map((group, at) => (
          <li key={at}>{group}</li>
        ))}
      </ol>
      <p>{words.paper}</p>
    </section>
  )
}

function KeyFile({ name }: { readonly name: string }): ReactNode {
  const words = useWords().newService.key
  const [isSaved, setSaved] = useState(false)
  const act = useAct()
  const save = async (): Promise<void> => {
    const isDone = await act.run(async () =>
      saveFile(keyFileName(name), 'application/x-pem-file', await call('newKeyFile')),
    )
    if (isDone) setSaved(true)
  }
  return (
    <>
      <Button
        icon={<Download size={16} aria-hidden />}
        busy={act.isBusy ? words.saving : null}
        onClick={() => void save()}
      >
        {isSaved ? words.saved : words.save}
      </Button>
      <Problem failure={act.failure} />
    </>
  )
}

function Lost({
  keepsCopy,
  onKeepsCopy,
}: {
  readonly keepsCopy: boolean
  readonly onKeepsCopy: (keeps: boolean) => void
}): ReactNode {
  const { lost } = useWords().newService.key
  return (
    <aside className={classes.aside} aria-label={lost.title}>
      <h2>{lost.title}</h2>
      <dl>
        <dt>{lost.file}</dt>
        <dd>{lost.fileLost}</dd>
        <dt>{lost.passphrase}</dt>
        <dd>
          {keepsCopy ? lost.passphraseLost : lost.passphraseGone}
          <Tick label={lost.keep} about={lost.keepAbout} isOn={keepsCopy} onChange={onKeepsCopy} />
        </dd>
        <dt>{keepsCopy ? lost.both : lost.passphraseAlone}</dt>
        <dd>{lost.bothLost}</dd>
      </dl>
      <h2>{lost.foundTitle}</h2>
      <p>{lost.found}</p>
    </aside>
  )
}
