/** Tells subscribers that something changed, at most once a microtask however many changes there were. */

export class Signal {
  private readonly listeners = new Set<() => void>();
  private scheduled = false;

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    queueMicrotask(() => {
      this.scheduled = false;
      for (const listener of [...this.listeners]) listener();
    });
  }
}
