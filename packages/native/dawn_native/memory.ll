; memcpy, memmove and memset byte by byte, and the marks that Windows code refers to.
@_fltused = global i32 0

define ptr @memset(ptr %to, i32 %value, i64 %count) nobuiltin {
start:
  %byte = trunc i32 %value to i8
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %body ]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %end, label %body
body:
  %place = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %place
  %next = add i64 %i, 1
  br label %loop
end:
  ret ptr %to
}

define ptr @memmove(ptr %to, ptr %from, i64 %count) nobuiltin {
start:
  %a = ptrtoint ptr %to to i64
  %b = ptrtoint ptr %from to i64
  %forward = icmp ult i64 %a, %b
  br label %loop
loop:
  %i = phi i64 [ 0, %start ], [ %next, %body ]
  %done = icmp eq i64 %i, %count
  br i1 %done, label %end, label %body
body:
  %next = add i64 %i, 1
  %back = sub i64 %count, %next
  %at = select i1 %forward, i64 %i, i64 %back
  %source = getelementptr i8, ptr %from, i64 %at
  %place = getelementptr i8, ptr %to, i64 %at
  %byte = load i8, ptr %source
  store i8 %byte, ptr %place
  br label %loop
end:
  ret ptr %to
}

define ptr @memcpy(ptr %to, ptr %from, i64 %count) nobuiltin {
  %result = call ptr @memmove(ptr %to, ptr %from, i64 %count)
  ret ptr %result
}
