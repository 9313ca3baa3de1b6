// The agents of this browser, in IndexedDB. A key is stored as a CryptoKey that cannot be read.

import { type Identity } from "./key";

const DATABASE = "a2ap-desk";
const STORE = "identities";

export async function storedIdentities(): Promise<Identity[]> {
  return run("readonly", (store) => store.getAll() as IDBRequest<Identity[]>);
}

export async function store(identity: Identity): Promise<void> {
  await run("readwrite", (one) => one.put(identity));
}

export async function forget(publicKey: string): Promise<void> {
  await run("readwrite", (one) => one.delete(publicKey));
}

async function run<T>(mode: IDBTransactionMode, step: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const result = await done(step(transaction.objectStore(STORE)));
    await new Promise<void>((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
    return result;
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "publicKey" });
  return done(request);
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
