// The keys of this browser: made, opened from a file, registered, saved as an encrypted file, removed.

import { render } from "preact";
import { useState } from "preact/hooks";
import { type Bytes } from "../proof/encoding";
import { Problem, SaveFile, taskOf, useAction } from "./form";
import { registeredAgent, useIdentities, type Identities } from "./identities";
import { agentOfKeyFile, LEAST_PASSPHRASE, makeIdentity, openKeyFile, passphraseProblem, signerOf, type Identity } from "./key";
import { forget, store } from "./key_store";
import { buildRegistration, freshId, sign, type AgentType } from "./message";
import { submit, type Receipt } from "./node";
import { ReceiptView } from "./receipt";
import { Shown } from "./shown";

interface Node {
  readonly logKeys: readonly string[];
  readonly admission: string;
}

export function enhance(element: HTMLElement): void {
  const place = document.createElement("div");
  element.append(place);
  render(<Keys node={taskOf<Node>(element)} root={element.dataset.root ?? "./"} />, place);
}

function Keys({ node, root }: { readonly node: Node; readonly root: string }) {
  const identities = useIdentities(root);
  const { all, chosen, ready, problem } = identities;
  if (problem !== "") return <Problem words={problem} />;
  if (!ready) return <p role="status">This browser looks for its keys.</p>;
  return (
    <>
      {all.length > 0 && <Choice identities={identities} />}
      {chosen !== null && <Chosen key={chosen.publicKey} identity={chosen} node={node} root={root} identities={identities} />}
      <details open={all.length === 0}>
        <summary>Make a key</summary>
        <MakeKey identities={identities} />
      </details>
      <details>
        <summary>Open a key file</summary>
        <OpenFile identities={identities} root={root} />
      </details>
    </>
  );
}

function Choice({ identities }: { readonly identities: Identities }) {
  const { all, chosen, choose } = identities;
  return (
    <fieldset>
      <legend>The key that signs</legend>
      {all.map((one) => (
        <label key={one.publicKey} class="choice">
          <input
            type="radio"
            name="desk-key"
            checked={one.publicKey === chosen?.publicKey}
            onChange={() => choose(one.publicKey)}
          />{" "}
          <Shown text={one.agent.name} />, {nameOf(one.agent.type)}{" "}
          <span class="quiet">{one.registered === null ? "not registered" : `registered at log entry ${one.registered}`}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface ChosenProps {
  readonly identity: Identity;
  readonly node: Node;
  readonly root: string;
  readonly identities: Identities;
}

function Chosen({ identity, node, root, identities }: ChosenProps) {
  const action = useAction();
  const [invitation, setInvitation] = useState("");
  const [isLeaving, setLeaving] = useState(false);
  const [sent, setSent] = useState<{ receipt: Receipt; document: Bytes } | null>(null);
  const register = async (): Promise<void> => {
    const { agent, keyId, publicKey } = identity;
    const message = buildRegistration({ id: freshId(), time: new Date(), agent, keyId, publicKey, invitation: invitation.trim() });
    const document = await sign(message, signerOf(identity));
    const receipt = await submit(root, "registerAgent", document);
    await store({ ...identity, registered: receipt.logIndex });
    setSent({ receipt, document });
    await identities.reload();
  };
  const remove = async (): Promise<void> => {
    await forget(identity.publicKey);
    await identities.reload();
  };
  return (
    <>
      <dl class="facts-list">
        <dt>Agent</dt>
        <dd>
          {identity.registered === null ? <code>{identity.agent.id}</code> : <a href={`${root}agents/${encodeURI(identity.agent.id)}`}><code>{identity.agent.id}</code></a>}
        </dd>
        <dt>Publisher</dt>
        <dd>
          <Shown text={identity.agent.publisher} />
        </dd>
      </dl>
      {identity.registered === null && (
        <form
          class="desk-form"
          onSubmit={(event) => {
            event.preventDefault();
            action.run(register);
          }}
        >
          <p>
            The node does not know the agent yet. The registration states its name, its publisher, its public key, and that it is {nameOf(identity.agent.type)}.
          </p>
          {node.admission === "invitation" && (
            <label>
              Invitation
              <input value={invitation} onInput={(event) => setInvitation(event.currentTarget.value)} required autocomplete="off" />
            </label>
          )}
          <button disabled={action.busy}>Register the agent</button>
        </form>
      )}
      <p>
        <SaveFile name={`${fileName(identity)}.key`} text={identity.file}>
          Save the encrypted key file
        </SaveFile>{" "}
        <button type="button" onClick={() => setLeaving(true)}>
          Remove from this browser
        </button>
      </p>
      {isLeaving && (
        <p class="notice notice-bad" role="alert">
          Without its file and passphrase the key is lost for ever.{" "}
          <button type="button" onClick={() => action.run(remove)}>
            Remove the key
          </button>{" "}
          <button type="button" onClick={() => setLeaving(false)}>
            Keep it
          </button>
        </p>
      )}
      <Problem words={action.problem} />
      {sent !== null && <ReceiptView {...sent} root={root} logKeys={node.logKeys} folder="" />}
    </>
  );
}

/** The fields that describe an agent. */
function AgentFields({ about, change }: { readonly about: About; readonly change: (about: About) => void }) {
  return (
    <>
      <fieldset>
        <legend>The agent is</legend>
        {(["prov:Person", "prov:SoftwareAgent"] as const).map((type) => (
          <label key={type} class="choice">
            <input type="radio" checked={about.type === type} onChange={() => change({ ...about, type })} /> {nameOf(type)}{" "}
            <span class="quiet">{type === "prov:Person" ? "for verdicts and challenges" : "for statements as well, which A2AP leaves to software"}</span>
          </label>
        ))}
      </fieldset>
      <label>
        Name
        <input value={about.name} onInput={(event) => change({ ...about, name: event.currentTarget.value })} required maxLength={200} autocomplete="name" />
      </label>
      <label>
        Publisher: the organisation that answers for it
        <input value={about.publisher} onInput={(event) => change({ ...about, publisher: event.currentTarget.value })} required maxLength={200} autocomplete="organization" />
      </label>
    </>
  );
}

function MakeKey({ identities }: { readonly identities: Identities }) {
  const action = useAction();
  const [about, setAbout] = useState<About>(NOBODY);
  const [passphrase, setPassphrase] = useState("");
  const [again, setAgain] = useState("");
  const make = async (): Promise<void> => {
    const refused = passphraseProblem(passphrase, again);
    if (refused !== null) throw new Error(refused);
    const made = await makeIdentity({ type: about.type, name: about.name.trim(), publisher: about.publisher.trim() }, passphrase);
    await store(made);
    setAbout(NOBODY);
    setPassphrase("");
    setAgain("");
    identities.choose(made.publicKey);
    await identities.reload();
  };
  return (
    <form
      class="desk-form"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(make);
      }}
    >
      <AgentFields about={about} change={setAbout} />
      <label>
        Passphrase of the key file, {LEAST_PASSPHRASE} characters or more
        <input type="password" value={passphrase} onInput={(event) => setPassphrase(event.currentTarget.value)} required autocomplete="new-password" aria-describedby="passphrase-help" />
      </label>
      <label>
        The passphrase again
        <input type="password" value={again} onInput={(event) => setAgain(event.currentTarget.value)} required autocomplete="new-password" />
      </label>
      <p id="passphrase-help" class="quiet">
        The browser keeps the key so that pages can sign with it and cannot read it. The passphrase encrypts the file in which you keep a copy; nobody can replace it.
      </p>
      <button disabled={action.busy}>{action.busy ? "The browser makes the key" : "Make the key"}</button>
      <Problem words={action.problem} />
    </form>
  );
}

function OpenFile({ identities, root }: { readonly identities: Identities; readonly root: string }) {
  const action = useAction();
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState("");
  const [about, setAbout] = useState<About | null>(null);
  const open = async (): Promise<void> => {
    if (file === null) throw new Error("Choose a key file.");
    if (file.size > 65_536) throw new Error(`${file.name} has ${file.size} bytes, too many for a key file.`);
    const opened = await openKeyFile(new Uint8Array(await file.arrayBuffer()), passphrase);
    const id = agentOfKeyFile(opened.file);
    const known = await registeredAgent(root, id);
    if (known === null && about === null) {
      setAbout(NOBODY);
      throw new Error("The node does not know the agent of this key. State its type, name and publisher, and open the file again.");
    }
    const agent = known?.agent ?? { ...(about ?? NOBODY), id, version: "1" };
    await store({ ...opened, agent, registered: known?.logIndex ?? null });
    setPassphrase("");
    setAbout(null);
    identities.choose(opened.publicKey);
    await identities.reload();
  };
  return (
    <form
      class="desk-form"
      onSubmit={(event) => {
        event.preventDefault();
        action.run(open);
      }}
    >
      <label>
        Key file, as this page or <code>a2ap key generate</code> writes it
        <input type="file" onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)} required />
      </label>
      <label>
        Its passphrase; a file that is not encrypted is encrypted with it
        <input type="password" value={passphrase} onInput={(event) => setPassphrase(event.currentTarget.value)} minLength={LEAST_PASSPHRASE} required autocomplete="current-password" />
      </label>
      {about !== null && <AgentFields about={about} change={setAbout} />}
      <button disabled={action.busy}>Open the key file</button>
      <Problem words={action.problem} />
    </form>
  );
}

interface About {
  readonly type: AgentType;
  readonly name: string;
  readonly publisher: string;
}

const NOBODY: About = { type: "prov:Person", name: "", publisher: "" };

export function nameOf(type: AgentType): string {
  return type === "prov:Person" ? "a person" : "a software agent";
}

function fileName(identity: Identity): string {
  return identity.agent.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "agent";
}
