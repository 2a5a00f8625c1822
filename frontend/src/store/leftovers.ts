/** What this browser keeps of a workspace beyond the page: unsent questions, the last thread. Goes when it is erased. */

export function forgetWorkspace(workspace: string, stores: readonly Storage[] = [localStorage, sessionStorage]): void {
  for (const store of stores) {
    const keys = Array.from({ length: store.length }, (_, index) => store.key(index));
    for (const key of keys) if (key?.split(":").includes(workspace)) store.removeItem(key);
  }
}
